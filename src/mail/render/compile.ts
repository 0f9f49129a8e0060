import { type CompileScope, originOf, resolve } from "./compile-scope.ts"
import { type Build, compileExpression, compileOutput, type Loop, type Read, type Scope } from "./expression.ts"
import { isBlockName } from "./helpers.ts"
import { append, charge, inPieces, isLong, type Run } from "./run.ts"
import type { Output } from "./scan.ts"
import type { Block, Mustache, Program, Statement } from "./syntax.ts"
import { textOf, truth } from "./values.ts"

export type Write = (scope: Scope, run: Run) => void

export interface TemplateBuild extends Build {
  /** The scan's next tag that prints; the tree has them in the same order. */
  nextOutput(node: Mustache): Output
  failAt(offset: number, message: string): never
  /** Escapes the text of a value. */
  encode(text: string): string
}

export function compileProgram(program: Program | undefined, within: CompileScope, build: TemplateBuild): Write {
  const writes: Write[] = []
  for (const statement of program?.body ?? []) {
    const write = compileStatement(statement, within, build)
    if (write !== undefined) writes.push(write)
  }
  const [only, second] = writes
  if (only === undefined) return () => {}
  if (second === undefined) return only
  return (scope, run) => {
    for (const write of writes) write(scope, run)
  }
}

function compileStatement(node: Statement, within: CompileScope, build: TemplateBuild): Write | undefined {
  switch (node.type) {
    case "ContentStatement": {
      const { value } = node
      if (value === "") return undefined
      return (_, run) => {
        charge(run, 1)
        append(run, value)
      }
    }
    case "CommentStatement":
      return undefined
    case "MustacheStatement":
      return compileMustache(node, within, build)
    case "BlockStatement":
      return compileBlock(node, within, build)
  }
}

function compileMustache(node: Mustache, within: CompileScope, build: TemplateBuild): Write {
  const { fallback } = build.nextOutput(node)
  const { read, calls } = compileOutput(node, within, build)
  const encode = node.escaped ? build.encode : undefined
  const print = (run: Run, value: unknown): void => {
    charge(run, 1)
    const text = textOf(value, run)
    if (encode === undefined) append(run, text)
    else if (isLong(text)) inPieces(run, text, (piece) => append(run, encode(piece)))
    else append(run, encode(text))
  }
  if (fallback === undefined) return (scope, run) => print(run, read(scope, run))

  if (calls) return build.failAt(fallback.at, "?? follows a variable, not a helper.")
  const text = encode ? encode(fallback.text) : fallback.text
  return (scope, run) => {
    const value = read(scope, run)
    if (value !== undefined && value !== null) return print(run, value)
    charge(run, 1)
    append(run, text)
  }
}

function compileBlock(node: Block, within: CompileScope, build: TemplateBuild): Write {
  const name = node.path.type === "PathExpression" ? node.path.original : String(node.path.value)
  if (!isBlockName(name)) {
    // {{#company}} of Mustache, or {{#equals plan "pro"}} of those who add helpers
    const written =
      node.params.length === 0 ? `{{#if ${name}}}, {{#with ${name}}} or {{#each ${name}}}` : "{{#if (eq a b)}}"
    return build.fail(
      node.loc,
      `Unknown block {{#${name}}}; there are #if, #unless, #each and #with: write ${written}.`,
    )
  }
  const [param, surplus] = node.params
  if (param === undefined || surplus !== undefined || node.hash !== undefined)
    return build.fail(node.loc, `{{#${name}}} takes exactly one value.`)
  const names = node.program.blockParams ?? []
  const most = name === "each" ? 2 : name === "with" ? 1 : 0
  if (names.length > most) return build.fail(node.loc, `{{#${name}}} gives ${most === 0 ? "no" : most} names.`)

  const read = compileExpression(param, within, build)
  const origin = param.type === "PathExpression" ? originOf(resolve(param, within)) : undefined
  const opened: CompileScope = { up: within, origin: name === "each" ? undefined : origin, names }
  const context = name === "if" || name === "unless" ? within : opened
  const body = compileProgram(node.program, context, build)
  const otherwise = compileProgram(node.inverse, within, build)
  switch (name) {
    case "if":
      return branch(read, body, otherwise)
    case "unless":
      return branch(read, otherwise, body)
    case "with":
      return enter(read, body, otherwise)
    case "each":
      return repeat(read, body, otherwise)
  }
}

const branch =
  (read: Read, then: Write, otherwise: Write): Write =>
  (scope, run) => {
    charge(run, 1)
    if (truth(read(scope, run))) then(scope, run)
    else otherwise(scope, run)
  }

const enter =
  (read: Read, body: Write, otherwise: Write): Write =>
  (scope, run) => {
    charge(run, 1)
    const value = read(scope, run)
    if (truth(value)) body({ value, up: scope, loop: scope.loop }, run)
    else otherwise(scope, run)
  }

/**
 * Iterates over the elements of an array or the own keys of an object. `else` is for empty ones and all other values.
 */
const repeat =
  (read: Read, body: Write, otherwise: Write): Write =>
  (scope, run) => {
    charge(run, 1)
    const value = read(scope, run)
    if (typeof value !== "object" || value === null) return otherwise(scope, run)
    const keys = Array.isArray(value) ? undefined : Object.keys(value)
    const count = keys?.length ?? (value as readonly unknown[]).length
    if (count === 0) return otherwise(scope, run)
    const loop: Loop = { index: 0, key: 0, first: true, last: false, up: scope.loop }
    const round: Scope = { value: undefined, up: scope, loop }
    for (let index = 0; index < count; index++) {
      charge(run, 1)
      const key = keys?.[index] ?? index
      loop.index = index
      loop.key = key
      loop.first = index === 0
      loop.last = index === count - 1
      round.value = ownElement(value, key)
      body(round, run)
    }
  }

const ownElement = (holder: object, key: string | number): unknown => {
  const found = (holder as Record<string | number, unknown>)[key]
  return typeof found === "function" ? undefined : found
}
