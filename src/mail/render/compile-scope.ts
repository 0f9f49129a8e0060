import type { Path } from "./syntax.ts"

/** The path from the variables to a value; undefined when it is known only while rendering. */
type Origin = readonly string[] | undefined

/** A context that a template opens, as known while compiling: the variables, then one for each `#with` and `#each`. */
export interface CompileScope {
  readonly up: CompileScope | undefined
  readonly origin: Origin
  /** Block parameters: the value's name and, in `#each`, the key's. */
  readonly names: readonly string[]
}

export const rootScope: CompileScope = { up: undefined, origin: [], names: [] }

type LoopField = "index" | "key" | "first" | "last"

/** What a path refers to. `up` counts contexts, or for loop fields enclosing loops. */
export type Target =
  | { readonly from: "context"; readonly up: number; readonly keys: readonly string[]; readonly origin: Origin }
  | { readonly from: "root"; readonly keys: readonly string[]; readonly origin: Origin }
  | { readonly from: "key"; readonly up: number; readonly keys: readonly string[] }
  | { readonly from: "loop"; readonly up: number; readonly field: LoopField; readonly keys: readonly string[] }
  | { readonly from: "nothing" }

const loopFields: ReadonlySet<string> = new Set(["index", "key", "first", "last"] satisfies LoopField[])
const isLoopField = (name: string): name is LoopField => loopFields.has(name)

/** Whether a path is written as a plain variable: no `@`, `this`, `./` or `../` before it. */
export const isBare = (path: Path): boolean =>
  !path.data && path.depth === 0 && path.parts.length > 0 && path.original.length === path.parts.join(".").length

export function resolve(path: Path, scope: CompileScope): Target {
  const [first = "", ...rest] = path.parts
  if (path.data) {
    if (first === "root") return { from: "root", keys: rest, origin: rest }
    return isLoopField(first) ? { from: "loop", up: path.depth, field: first, keys: rest } : { from: "nothing" }
  }
  if (isBare(path)) {
    const named = resolveName(first, rest, scope)
    if (named !== undefined) return named
  }
  const context = ancestor(scope, path.depth)
  if (context === undefined) return { from: "nothing" }
  return { from: "context", up: path.depth, keys: path.parts, origin: extend(context.origin, path.parts) }
}

/** The block parameter of that name, the innermost first. */
function resolveName(name: string, keys: readonly string[], from: CompileScope): Target | undefined {
  let up = 0
  for (let scope: CompileScope | undefined = from; scope !== undefined; scope = scope.up, up++) {
    if (scope.names[0] === name) return { from: "context", up, keys, origin: extend(scope.origin, keys) }
    if (scope.names[1] === name) return { from: "key", up, keys }
  }
  return undefined
}

function ancestor(from: CompileScope, count: number): CompileScope | undefined {
  let scope: CompileScope | undefined = from
  for (let left = count; left > 0; left--) scope = scope?.up
  return scope
}

const extend = (origin: Origin, keys: readonly string[]): Origin =>
  origin === undefined ? undefined : [...origin, ...keys]

export const originOf = (target: Target): Origin => ("origin" in target ? target.origin : undefined)
