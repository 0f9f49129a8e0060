import { posix } from "node:path"
import { type Files, isCode } from "./imports.ts"

const sheet = /import (\w+) from "([^"]+\.module\.css)"/g
const classOf = /\.([A-Za-z_][\w-]*)/g

/** Classes that code reads from a stylesheet without them: such an element is not styled, and nothing else tells. */
export function styleBreaches(files: Files): string[] {
  const found: string[] = []
  for (const [path, text] of files) {
    if (!isCode(path)) continue
    const code = text.replace(/"[^"\n]*"/g, '""')
    for (const [, local = "", specifier = ""] of text.matchAll(sheet)) {
      const styles = files.get(posix.join(posix.dirname(path), specifier)) ?? ""
      const classes = new Set([...styles.matchAll(classOf)].map(([, name]) => name))
      const read = new Set([...code.matchAll(new RegExp(`\\b${local}\\.(\\w+)`, "g"))].map(([, name]) => name))
      for (const name of read) if (!classes.has(name)) found.push(`${path}: ${specifier} has no class ${name}`)
    }
  }
  return found
}
