import { posix } from "node:path"
import type { Files } from "./imports.ts"

const imported = /\b(?:import|export)\s+(?:type\s+)?([\w$*\s{},]*?)\s*\bfrom\s*["'](\.[^"']+)["']/g
const importedWhole = /\bimport\(\s*["'](\.[^"']+)["']\s*\)/g
const declared = /^export (?:async )?(?:const|function\*?|class|interface|type) ([\w$]+)/gm
const listed = /^export (?:type |const )?\{([^}]*)\}/gm
/** One of `a, type b as c`: its name in the file that it comes from, and in this one. */
const item = /(?:\btype )?([\w$*]+)(?:(?: as |: )([\w$]+))?/g

/** What a file exports although no other one imports it, as "path name". Default exports are not looked at. */
export function unusedExports(files: Files): string[] {
  const used = new Set<string>()
  for (const [path, text] of files) {
    const use = (specifier: string, name: string) => used.add(`${posix.join(posix.dirname(path), specifier)} ${name}`)
    for (const [, items = "", specifier = ""] of text.matchAll(imported))
      for (const [, name = ""] of items.matchAll(item)) use(specifier, name)
    for (const [, specifier = ""] of text.matchAll(importedWhole)) use(specifier, "*")
  }
  return [...files].flatMap(([path, text]) => {
    if (used.has(`${path} *`)) return []
    const names = [
      ...Array.from(text.matchAll(declared), ([, name]) => name),
      ...Array.from(text.matchAll(listed), ([, items = ""]) =>
        Array.from(items.matchAll(item), ([, name, renamed = name]) => renamed),
      ).flat(),
    ]
    return names.map((name) => `${path} ${name}`).filter((each) => !used.has(each))
  })
}
