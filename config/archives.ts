import { gzipSync } from "node:zlib"
import { zipSync } from "fflate"

/** One file of an archive. */
export interface Packed {
  /** With `/` between folders, at most 100 bytes of ASCII. */
  readonly path: string
  readonly bytes: Uint8Array
  readonly isExecutable?: boolean
}

/**
 * A gzipped tar (POSIX ustar) in the given order, the same bytes for the same files: owner 0, and the time of every file
 * is the beginning of 1980, which a zip can also hold.
 */
export function tarGz(files: readonly Packed[]): Uint8Array {
  const blocks = files.flatMap(({ path, bytes, isExecutable = false }) => [
    header(path, bytes.length, isExecutable ? 0o755 : 0o644),
    bytes,
    new Uint8Array((512 - (bytes.length % 512)) % 512),
  ])
  return gzipSync(Buffer.concat([...blocks, new Uint8Array(1_024)]), { level: 6 })
}

const epoch = Date.UTC(1980, 0, 1) / 1_000

function header(path: string, size: number, mode: number): Buffer {
  if (path.length > 100) throw new Error(`${path} is too long a name for a tar file.`)
  const block = Buffer.alloc(512)
  const octal = (value: number, at: number, length: number) =>
    block.write(value.toString(8).padStart(length - 1, "0"), at, "ascii")
  block.write(path, 0, "ascii")
  octal(mode, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(epoch, 136, 12)
  // The checksum is computed with spaces in its place.
  block.fill(" ", 148, 156)
  block.write("0", 156, "ascii")
  block.write("ustar\u000000", 257, "ascii")
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, "0")}\u0000 `, 148, "ascii")
  return block
}

/** The same as a zip, for Windows, which has no file permissions. */
export const zip = (files: readonly Packed[]): Uint8Array =>
  zipSync(Object.fromEntries(files.map(({ path, bytes }) => [path, bytes])), {
    level: 6,
    // A zip holds local time, so this is the same in every time zone.
    mtime: new Date(1980, 0, 1),
  })
