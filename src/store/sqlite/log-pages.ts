import type { FileHandle } from "node:fs/promises"

/** The newest content of database pages in the log file: file offsets by page number. */
type LogPages = ReadonlyMap<number, number>

// https://sqlite.org/fileformat2.html, 4.1: a log header, then frames, each of a frame header and a page.
const logHeadBytes = 32
const frameHeadBytes = 24
const framesAtOnce = 256

/** Indexes the pages in the first `frames` frames of a log. The last frame of a page counts. */
export async function pagesInLog(log: FileHandle, frames: number, pageBytes: number): Promise<LogPages> {
  const frameBytes = frameHeadBytes + pageBytes
  const offsets = new Map<number, number>()
  const piece = Buffer.alloc(framesAtOnce * frameBytes)
  for (let first = 0; first < frames; first += framesAtOnce) {
    const count = Math.min(framesAtOnce, frames - first)
    const start = logHeadBytes + first * frameBytes
    await readWhole(log, piece.subarray(0, count * frameBytes), start)
    for (let at = 0; at < count; at++)
      offsets.set(piece.readUInt32BE(at * frameBytes), start + at * frameBytes + frameHeadBytes)
  }
  return offsets
}

/** Reads from this position into the buffer; bytes beyond the end of the file stay unchanged. */
export async function readWhole(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, position + at)
    if (bytesRead === 0) return
    at += bytesRead
  }
}
