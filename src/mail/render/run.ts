import { RenderFault } from "./faults.ts"
import type { Formats } from "./formats.ts"

/** The state of one rendering: its variables, its output and its remaining limits. */
export interface Run {
  readonly root: unknown
  readonly locale: string
  readonly formats: Formats
  /** Also the greatest length of any intermediate text. */
  readonly maxBytes: number
  readonly maxMs: number
  readonly now: () => number
  readonly startedAt: number
  stepsLeft: number
  readonly chunks: string[]
  chunkBytes: number
  tail: string
}

export interface Limits {
  readonly ms: number
  readonly bytes: number
  /** Milliseconds on a clock that is never set: the limit protects the processor, so it is not measured by `Clock`. */
  readonly now: () => number
}

/** Contract A9, row 16. */
export const defaultLimits: Limits = { ms: 1_000, bytes: 10 * 1_048_576, now: () => performance.now() }

const stepsPerLook = 2_000
const chunkLength = 16_384

export const startRun = (root: unknown, locale: string, formats: Formats, limits: Limits): Run => ({
  root,
  locale,
  formats,
  maxBytes: limits.bytes,
  maxMs: limits.ms,
  now: limits.now,
  startedAt: limits.now(),
  stepsLeft: stepsPerLook,
  chunks: [],
  chunkBytes: 0,
  tail: "",
})

/** Counts work; a step is well under a microsecond. Checks the clock from time to time. */
export function charge(run: Run, steps: number): void {
  run.stepsLeft -= steps
  if (run.stepsLeft >= 0) return
  run.stepsLeft = stepsPerLook
  if (run.now() - run.startedAt > run.maxMs) throw new RenderFault("time")
}

/** Charges for work in proportion to a text: 64 code units are a step. */
export const chargeText = (run: Run, text: string): void => charge(run, 1 + (text.length >> 6))

/** Texts up to this length are processed at once, which takes about a millisecond at most. */
const pieceLength = chunkLength

/** Processes a text in pieces, without splitting a code point, so that slow work can be stopped between them. */
export function inPieces(run: Run, text: string, work: (piece: string) => void): void {
  for (let from = 0; from < text.length; ) {
    const to = from + pieceLength
    const end = isHighSurrogate(text.charCodeAt(to - 1)) ? to + 1 : to
    const piece = from === 0 && end >= text.length ? text : text.slice(from, end)
    chargeText(run, piece)
    work(piece)
    from = end
  }
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

export const isLong = (text: string): boolean => text.length > pieceLength

/** The length is checked before the work, because a single step on a huge text would block the process. */
export function refuseOversized(run: Run, length: number): void {
  if (length > run.maxBytes) throw new RenderFault("size")
}

export function append(run: Run, text: string): void {
  // UTF-8 has at least one byte for every code unit.
  refuseOversized(run, run.chunkBytes + run.tail.length + text.length)
  run.tail += text
  if (run.tail.length > chunkLength) closeChunk(run)
}

/** Measuring a chunk also flattens it: millions of short pieces would otherwise stay alive as a chain. */
function closeChunk(run: Run): void {
  run.chunkBytes += Buffer.byteLength(run.tail)
  refuseOversized(run, run.chunkBytes)
  run.chunks.push(run.tail)
  run.tail = ""
}

export function finish(run: Run): string {
  if (run.chunks.length === 0 && run.tail.length * 3 <= run.maxBytes) return run.tail
  closeChunk(run)
  return run.chunks.join("")
}
