import { posix } from "node:path"

/** Texts by their path from the top of the repository. */
export type Files = ReadonlyMap<string, string>

export interface Import {
  readonly from: string
  readonly line: number
  readonly specifier: string
  /** The file it leads to, from the top of the repository; undefined for packages. */
  readonly to: string | undefined
  readonly typeOnly: boolean
  /** By `import()`, when the statement is reached. */
  readonly dynamic: boolean
}

export const isCode = (path: string): boolean => /\.tsx?$/.test(path)

const dynamicForm = /\bimport\(\s*()["']([^"']+)["']\s*[,)]/g

const importForms = [
  /\b(?:import|export)\s+(type\s+)?[\w$*\s{},]*?\bfrom\s*["']([^"']+)["']/g,
  /\bimport\s*(\s)?["']([^"']+)["']/g,
  dynamicForm,
]

/** `Bun.Transpiler.scanImports` leaves out type imports, so this reads the text. */
export function importsOf(path: string, text: string): Import[] {
  return importForms.flatMap((form) =>
    Array.from(text.matchAll(form), (match) => {
      const specifier = match[2] ?? ""
      return {
        from: path,
        line: text.slice(0, match.index).split("\n").length,
        specifier,
        to: specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : undefined,
        typeOnly: match[1]?.trim() === "type",
        dynamic: form === dynamicForm,
      }
    }),
  )
}

/**
 * Files that import each other, directly or through others; an `import type` counts. One sentence for every group of
 * files that are in circles together, with a shortest circle of it.
 */
export function fileCircles(imports: readonly Import[]): string[] {
  const targets = new Map<string, Set<string>>()
  for (const { from, to } of imports)
    if (to !== undefined && isCode(to)) targets.set(from, (targets.get(from) ?? new Set()).add(to))
  const reported = new Set<string>()
  return [...targets.keys()].sort().flatMap((file) => {
    const circle = reported.has(file) ? undefined : shortestCircle(file, targets)
    if (circle === undefined) return []
    for (const member of mutual(file, targets)) reported.add(member)
    return [`${circle.join(" -> ")} is a circle of imports`]
  })
}

type Targets = ReadonlyMap<string, ReadonlySet<string>>

function shortestCircle(file: string, targets: Targets): string[] | undefined {
  const waiting: string[][] = [[file]]
  const seen = new Set<string>()
  for (const path of waiting) {
    for (const next of targets.get(path.at(-1) ?? "") ?? []) {
      if (next === file) return [...path, next]
      if (seen.has(next)) continue
      seen.add(next)
      waiting.push([...path, next])
    }
  }
  return undefined
}

/** The files that `file` reaches and that reach it. */
const mutual = (file: string, targets: Targets): string[] =>
  [...reachable(file, targets)].filter((other) => reachable(other, targets).has(file))

function reachable(file: string, targets: Targets): Set<string> {
  const found = new Set<string>()
  const visit = (at: string): void => {
    for (const next of targets.get(at) ?? []) {
      if (found.has(next)) continue
      found.add(next)
      visit(next)
    }
  }
  visit(file)
  return found
}
