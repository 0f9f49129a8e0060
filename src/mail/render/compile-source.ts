import { compileProgram, type TemplateBuild, type Write } from "./compile.ts"
import { rootScope } from "./compile-scope.ts"
import { offsetOf, TemplateFault } from "./faults.ts"
import { parse } from "./parse.ts"
import { type Output, type Scan, scan } from "./scan.ts"
import type { Program } from "./syntax.ts"
import { createUsageNotes, type Usage } from "./usage.ts"

interface Compiled {
  readonly write: Write
  readonly usage: Usage
  readonly tags: number
}

/** A source that was read: plain values, which another thread may have made. */
export interface ParsedSource {
  readonly tree: Program
  readonly outputs: readonly Output[]
  readonly tags: number
}

/** The part of compiling that takes long: nine tenths of the time. @throws {TemplateFault} */
export function parseSource(source: string): ParsedSource {
  const scanned = scan(source)
  const tree = scanned.fault === undefined ? parseScanned(scanned, source) : scanned.fault
  if (tree instanceof TemplateFault) throw firstFault(source, scanned.starts, tree)
  return parsed(tree, scanned)
}

const parsed = (tree: Program, { outputs, starts }: Scan): ParsedSource => ({ tree, outputs, tags: starts.length })

function parseScanned({ text, unclosed }: Scan, source: string): Program | TemplateFault {
  const closers = unclosed.map(({ name }) => `{{/${name}}}`).reverse()
  try {
    return parse(text + closers.join(""), source)
  } catch (cause) {
    if (cause instanceof TemplateFault) return cause
    throw cause
  }
}

/** Scanning, parsing and compiling are separate steps, so a later step may find an earlier fault in the source. */
function firstFault(source: string, starts: readonly number[], found: TemplateFault): TemplateFault {
  const cut = starts.findLast((start) => start <= found.offset) ?? 0
  if (cut === 0) return found
  const scanned = scan(source.slice(0, cut))
  const tree = parseScanned(scanned, source)
  if (tree instanceof TemplateFault) return tree.offset < cut ? firstFault(source, starts, tree) : found
  try {
    compileParsed(parsed(tree, scanned), source, (text) => text)
    return found
  } catch (earlier) {
    if (earlier instanceof TemplateFault) return earlier
    throw earlier
  }
}

/** @throws {TemplateFault} */
export function compileParsed(
  { tree, outputs, tags }: ParsedSource,
  source: string,
  encode: (text: string) => string,
): Compiled {
  const usage = createUsageNotes()
  let printed = 0
  const build: TemplateBuild = {
    usage,
    encode,
    fail({ start }, message) {
      throw new TemplateFault(message, source, offsetOf(source, start.line, start.column))
    },
    failAt(offset, message) {
      throw new TemplateFault(message, source, offset)
    },
    nextOutput: (node) => outputs[printed++] ?? build.fail(node.loc, "This tag cannot be read."),
  }
  const write = compileProgram(tree, rootScope, build)
  if (printed !== outputs.length) build.failAt(0, "The tags cannot be told apart.")
  return { write, usage: usage.result(), tags }
}
