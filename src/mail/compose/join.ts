import type { Part, Piece } from "./parts.ts"
import { mostQuoted, writeQuotedPrintable } from "./quoted-printable.ts"

/** Larger messages get memory of their own, so that one of them does not keep much of it. */
const mostShared = 1_048_576
/** Written to and copied from in one go: a message then costs one allocation, of its size. */
let shared = Buffer.allocUnsafeSlow(65_536)

/** The bytes of a part. */
export function joined(part: Part): Uint8Array {
  const most = part.reduce((sum, piece) => sum + mostBytes(piece), 0)
  if (most > shared.length && most <= mostShared) shared = Buffer.allocUnsafeSlow(most)
  const to = most <= shared.length ? shared : Buffer.allocUnsafeSlow(most)
  let size = 0
  for (const piece of part) size = write(piece, to, size)
  const written = to.subarray(0, size)
  return to === shared ? Buffer.from(written) : written
}

const mostBytes = (piece: Piece): number => {
  if (typeof piece === "string") return Buffer.byteLength(piece)
  return piece instanceof Uint8Array ? piece.byteLength : mostQuoted(Buffer.byteLength(piece.quoted))
}

function write(piece: Piece, to: Buffer, at: number): number {
  if (typeof piece === "string") return at + to.write(piece, at)
  if (!(piece instanceof Uint8Array)) return writeQuotedPrintable(piece.quoted, to, at)
  to.set(piece, at)
  return at + piece.byteLength
}
