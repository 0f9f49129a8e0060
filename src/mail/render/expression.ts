import { type CompileScope, isBare, originOf, resolve, type Target } from "./compile-scope.ts"
import { type Helper, helpers, isBlockName } from "./helpers.ts"
import { charge, chargeText, type Run, refuseOversized } from "./run.ts"
import type { Callable, Expression, Loc, Path } from "./syntax.ts"
import type { UsageNotes } from "./usage.ts"
import { own, walk } from "./values.ts"

/** The current iteration of the innermost `#each`. */
export interface Loop {
  index: number
  key: string | number
  first: boolean
  last: boolean
  readonly up: Loop | undefined
}

/** The context while rendering. `#with` and `#each` each put one on top. */
export interface Scope {
  value: unknown
  readonly up: Scope | undefined
  readonly loop: Loop | undefined
}

export type Read = (scope: Scope, run: Run) => unknown

/** What compiling needs in addition to the tree. */
export interface Build {
  /** Throws the fault of a node, at its position in the source. */
  fail(loc: Loc, message: string): never
  readonly usage: UsageNotes
}

export function compileExpression(node: Expression, within: CompileScope, build: Build): Read {
  switch (node.type) {
    case "PathExpression":
      return compilePath(node, within, build)
    case "SubExpression": {
      const name = nameOf(node)
      return compileCall(node, name, helperNamed(node, name, build), within, build)
    }
    default: {
      const { value } = node
      return () => value
    }
  }
}

function compilePath(path: Path, within: CompileScope, build: Build): Read {
  const target = resolve(path, within)
  const origin = originOf(target)
  if (origin !== undefined) build.usage.note(origin)
  return chargingFor(stepsOf(target), readTarget(target))
}

/** The number of scopes and keys on the path. */
const stepsOf = (target: Target): number =>
  (target.from === "nothing" ? 0 : target.keys.length) + ("up" in target ? target.up : 0)

/** A tag charges one step for itself, which includes a few more of them. */
const stepsUncharged = 8

const chargingFor = (steps: number, read: Read): Read =>
  steps <= stepsUncharged
    ? read
    : (scope, run) => {
        charge(run, steps)
        return read(scope, run)
      }

/**
 * The helper that a printing tag calls or the value that it reads; a helper wins over a field of the same name
 * (contract A3.3).
 */
export function compileOutput(node: Callable, within: CompileScope, build: Build): { read: Read; calls: boolean } {
  const name = nameOf(node)
  const given = node.params.length > 0 || node.hash !== undefined
  if (!given && !(name !== undefined && isCallable(name) && !isBlockParameter(name, within)))
    return { read: compilePath(pathOf(node), within, build), calls: false }
  return { read: compileCall(node, name, helperNamed(node, name, build), within, build), calls: true }
}

const isCallable = (name: string): boolean => helpers.has(name) || isBlockName(name)

function isBlockParameter(name: string, from: CompileScope): boolean {
  for (let within: CompileScope | undefined = from; within !== undefined; within = within.up)
    if (within.names.includes(name)) return true
  return false
}

/** The name of the helper, unless the path has several parts. */
function nameOf({ path }: Callable): string | undefined {
  if (path.type !== "PathExpression") return String(path.value)
  return isBare(path) && path.parts.length === 1 ? path.parts[0] : undefined
}

/** A literal in the place of a path names a field: `{{"first name"}}`. */
function pathOf({ path }: Callable): Path {
  if (path.type === "PathExpression") return path
  const name = String(path.value)
  return { type: "PathExpression", data: false, depth: 0, parts: [name], original: name, loc: path.loc }
}

function helperNamed(node: Callable, name: string | undefined, build: Build): Helper {
  const helper = name === undefined ? undefined : helpers.get(name)
  if (helper !== undefined) return helper
  if (name !== undefined && isBlockName(name))
    return build.fail(node.loc, `"${name}" is a block; write {{#${name} ...}}.`)
  return build.fail(node.loc, `Unknown helper "${pathOf(node).original}".${hintOf(node, name)}`)
}

/** A field whose name has blanks looks like a helper with its arguments: `{{First Name}}`. */
function hintOf(node: Callable, name: string | undefined): string {
  const words = node.params.map((param) => {
    if (param.type === "PathExpression" && isBare(param)) return param.original
    return param.type === "NumberLiteral" ? param.value : undefined
  })
  if (name === undefined || node.hash || words.length === 0 || words.includes(undefined)) return ""
  return ` A field whose name has blanks is written {{[${[name, ...words].join(" ")}]}}.`
}

function compileCall(
  node: Callable,
  name: string | undefined,
  helper: Helper,
  within: CompileScope,
  build: Build,
): Read {
  const reads = node.params.map((param) => compileExpression(param, within, build))
  for (const { key, value, loc } of node.hash?.pairs ?? []) {
    const position = helper.named?.get(key)
    if (position === undefined) return build.fail(loc, `"${name}" takes no argument named "${key}".`)
    while (reads.length < position) reads.push(() => undefined)
    reads[position] = compileExpression(value, within, build)
  }
  const { call } = helper
  return (scope, run) => {
    charge(run, 1 + reads.length)
    const result = call(
      reads.map((read) => read(scope, run)),
      run,
    )
    if (typeof result === "string") {
      chargeText(run, result)
      refuseOversized(run, result.length)
    }
    return result
  }
}

function readTarget(target: Target): Read {
  switch (target.from) {
    case "context":
      return readContext(target.up, target.keys)
    case "root": {
      const { keys } = target
      return (_, run) => walk(run.root, keys)
    }
    case "key": {
      const { up, keys } = target
      return (scope) => walk(ancestor(scope, up)?.loop?.key, keys)
    }
    case "loop": {
      const { up, field, keys } = target
      return ({ loop }) => {
        let round = loop
        for (let left = up; left > 0; left--) round = round?.up
        return walk(round?.[field], keys)
      }
    }
    case "nothing":
      return () => undefined
  }
}

function readContext(up: number, keys: readonly string[]): Read {
  const [key = ""] = keys
  if (up === 0 && keys.length === 1) return (scope) => own(scope.value, key)
  return (scope) => walk(ancestor(scope, up)?.value, keys)
}

function ancestor(from: Scope, count: number): Scope | undefined {
  let scope: Scope | undefined = from
  for (let left = count; left > 0; left--) scope = scope?.up
  return scope
}
