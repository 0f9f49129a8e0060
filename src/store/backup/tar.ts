import { damaged } from "./fault.ts"

export type Bytes = AsyncIterable<Uint8Array>

/** One file of a tar archive. Its size is known beforehand. */
export interface TarEntry {
  readonly name: string
  readonly bytes: number
  readonly content: Bytes
}

const block = 512
const regular = "0"
/** Larger sizes do not fit into the octal field, and are written in binary (the extension of GNU tar). */
const largestOctal = 0o77777777777

/** The header of a file (POSIX.1-1988, ustar). Names have at most 100 bytes. */
export function tarHeader({ name, bytes }: Pick<TarEntry, "name" | "bytes">, type = regular): Buffer {
  const header = Buffer.alloc(block)
  const octal = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at, "latin1")
  header.write(name, 0, 100, "utf8")
  octal(0o600, 100, 8)
  for (const owner of [108, 116]) octal(0, owner, 8)
  if (bytes <= largestOctal) octal(bytes, 124, 12)
  else {
    header[124] = 0x80
    header.writeBigUInt64BE(BigInt(bytes), 128)
  }
  octal(0, 136, 12)
  header.write(type, 156, "latin1")
  header.write("ustar\x0000", 257, "latin1")
  header.write(`${checksumOf(header).toString(8).padStart(6, "0")}\0 `, 148, "latin1")
  return header
}

/** The sum of the bytes, with spaces in the place of the checksum itself. */
function checksumOf(header: Uint8Array): number {
  let sum = 8 * 0x20
  for (const [at, byte] of header.entries()) if (at < 148 || at >= 156) sum += byte
  return sum
}

const paddingOf = (bytes: number): number => (block - (bytes % block)) % block

export async function* writeTar(entries: AsyncIterable<TarEntry>): Bytes {
  for await (const entry of entries) {
    yield tarHeader(entry)
    let written = 0
    for await (const piece of entry.content) {
      written += piece.length
      yield piece
    }
    if (written !== entry.bytes) throw new Error(`${entry.name} changed while it was read`)
    yield new Uint8Array(paddingOf(written))
  }
  yield new Uint8Array(2 * block)
}

/** Reads the files of an archive one after another; unread content is skipped. Entries other than files are refused. */
export async function* readTar(source: Bytes): AsyncIterable<TarEntry> {
  const reader = createReader(source)
  for (;;) {
    const header = await reader.exactly(block)
    if (header.every((byte) => byte === 0)) return
    const { name, bytes } = parse(header)
    const content = reader.upTo(bytes)
    yield { name, bytes, content }
    for await (const _rest of content);
    await reader.exactly(paddingOf(bytes))
  }
}

function parse(header: Buffer): { name: string; bytes: number } {
  const text = (at: number, length: number) => header.toString("utf8", at, at + length).split("\0", 1)[0] ?? ""
  const isBinary = header[124] === 0x80
  const bytes = isBinary ? Number(header.readBigUInt64BE(128)) : Number.parseInt(text(124, 12), 8)
  const isFile = text(156, 1) === regular && text(345, 155) === ""
  if (Number.parseInt(text(148, 8), 8) !== checksumOf(header) || !isFile || !Number.isSafeInteger(bytes))
    throw damaged()
  return { name: text(0, 100), bytes }
}

/** Reads a stream in portions of another size than that of its pieces. */
function createReader(source: Bytes) {
  const iterator = source[Symbol.asyncIterator]()
  let left: Uint8Array = new Uint8Array()

  /** Reads up to this many bytes, at least one. */
  async function some(bytes: number): Promise<Uint8Array> {
    while (left.length === 0) {
      const { done, value } = await iterator.next()
      if (done) throw damaged()
      left = value
    }
    const piece = left.subarray(0, bytes)
    left = left.subarray(piece.length)
    return piece
  }

  async function* upTo(bytes: number): AsyncGenerator<Uint8Array> {
    for (let rest = bytes; rest > 0; ) {
      const piece = await some(rest)
      rest -= piece.length
      yield piece
    }
  }

  return {
    upTo,
    async exactly(bytes: number): Promise<Buffer> {
      const pieces: Uint8Array[] = []
      for await (const piece of upTo(bytes)) pieces.push(piece)
      return Buffer.concat(pieces)
    },
  }
}
