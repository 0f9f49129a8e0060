import { asBuffer } from "./bytes.ts"

/** A message as it is sent after the envelope, in slices of limited size, so that a large one is not copied whole. */
export interface Content {
  /** At least 1. */
  readonly count: number
  slice(index: number): Uint8Array
}

const sliceBytes = 65_536
const beginsWithDot = { lf: Buffer.from("\n."), cr: Buffer.from("\r.") }
const dot = 46

/** After DATA: with a dot before each that begins a line, and the line that ends the content (RFC 5321, 4.5.2). */
export function dataContent(given: Uint8Array): Content {
  const bytes = asBuffer(given)
  const count = slicesOf(bytes)
  const end = bytes.length === 0 || bytes.subarray(-2).equals(crlf) ? ".\r\n" : "\r\n.\r\n"
  return {
    count,
    slice(index) {
      const parts = stuffed(bytes, index * sliceBytes, Math.min((index + 1) * sliceBytes, bytes.length))
      if (index === count - 1) parts.push(Buffer.from(end))
      return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
    },
  }
}

/** As one chunk (RFC 3030): unchanged, after the command that says its size. */
export function chunkContent(given: Uint8Array): Content {
  const bytes = asBuffer(given)
  return {
    count: slicesOf(bytes),
    slice(index) {
      const part = bytes.subarray(index * sliceBytes, (index + 1) * sliceBytes)
      return index === 0 ? Buffer.concat([Buffer.from(`BDAT ${bytes.length} LAST\r\n`), part]) : part
    },
  }
}

const crlf = Buffer.from("\r\n")
const slicesOf = ({ length }: Buffer): number => Math.max(1, Math.ceil(length / sliceBytes))

/**
 * The bytes from `start` to `end` with a second dot at each that begins a line, in pieces. A line begins after any CR or
 * LF: a server that accepts one of them alone as a line end could take a dot after it for the end of the message, and
 * what follows for commands.
 */
function stuffed(bytes: Buffer, start: number, end: number): Buffer[] {
  const pieces: Buffer[] = []
  let from = start
  const places: number[] = []
  if (start === 0 && bytes[0] === dot) places.push(0)
  findDots(bytes, beginsWithDot.lf, [start, end], places)
  findDots(bytes, beginsWithDot.cr, [start, end], places)
  for (const place of places.length > 1 ? places.sort((a, b) => a - b) : places) {
    // The piece ends with the dot, and the next one begins with the same dot.
    pieces.push(bytes.subarray(from, place + 1))
    from = place
  }
  pieces.push(bytes.subarray(from, end))
  return pieces
}

/** Adds the places of dots from `start` to before `end` that come after the line end that `pair` begins with. */
function findDots(bytes: Buffer, pair: Buffer, [start, end]: readonly [number, number], places: number[]): void {
  for (let at = bytes.indexOf(pair, Math.max(0, start - 1)); at >= 0 && at + 1 < end; at = bytes.indexOf(pair, at + 2))
    if (at + 1 >= start) places.push(at + 1)
}
