import type { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib"
import { extract, pack } from "tar-stream"
import { DomainError } from "../../kernel/errors.ts"
import { endName, headName, isEntryName, readEnd } from "./entries.ts"
import { damaged, openWith, sealWith } from "./seal.ts"
import { createSums, type Sums } from "./sums.ts"

/** One entry to be written. Its size is known beforehand. */
export interface NewEntry {
  readonly name: string
  readonly bytes: number
  readonly content: Bytes
}

export type Bytes = AsyncIterable<Uint8Array>

const compression = { params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } }

/**
 * The archive of the entries: a tar file, compressed with zstd, and encrypted when there is a passphrase. It ends with an
 * entry that sums up all before it. Only the pieces under way are in memory.
 */
export async function writeArchive(
  entries: AsyncIterable<NewEntry>,
  passphrase: string | undefined,
  sink: (bytes: Bytes) => Promise<void>,
): Promise<void> {
  const tar = pack()
  const compress = createZstdCompress(compression)
  const piece = () => tar as Bytes
  const seal = passphrase === undefined ? (bytes: Bytes) => bytes : sealWith(passphrase)
  const written = pipeline(piece, compress, seal, sink)
  let fault: unknown
  const note = (cause: unknown) => {
    fault ??= cause
    tar.destroy()
    compress.destroy()
  }
  await Promise.all([fill(tar, entries, note).catch(note), written.catch(note)])
  if (fault !== undefined) throw fault
}

type Tar = ReturnType<typeof pack>

/** Notes a fault of the content before the archive is closed because of it. */
async function fill(tar: Tar, entries: AsyncIterable<NewEntry>, note: (cause: unknown) => void): Promise<void> {
  const sums = createSums()
  try {
    for await (const each of entries) await add(tar, each, sums)
    const end = Buffer.from(`${JSON.stringify(sums.end())}\n`)
    await add(tar, { name: endName, bytes: end.length, content: once(end) }, sums)
    tar.finalize()
  } catch (cause) {
    note(cause)
    throw cause
  }
}

async function add(tar: Tar, { name, bytes, content }: NewEntry, sums: Sums): Promise<void> {
  const ended = Promise.withResolvers<void>()
  const entry = tar.entry({ name, size: bytes, mode: 0o600 }, (cause) =>
    cause ? ended.reject(cause) : ended.resolve(),
  )
  const sum = sums.begin(name)
  for await (const piece of content) {
    sum.add(piece)
    if (!entry.write(piece)) await drained(entry)
  }
  entry.end()
  await ended.promise
  sum.end()
}

/** Resolves when more may be written. */
const drained = (stream: NodeJS.EventEmitter): Promise<void> =>
  new Promise((resolve, reject) => {
    const settle = (closed: boolean) => {
      stream.off("drain", onDrain).off("close", onClose)
      if (closed) reject(new Error("The archive was closed"))
      else resolve()
    }
    const onDrain = () => settle(false)
    const onClose = () => settle(true)
    stream.once("drain", onDrain).once("close", onClose)
  })

export async function* once(bytes: Uint8Array): Bytes {
  yield bytes
}

/** Consumes the content of an entry, all of it. */
export type TakeEntry = (name: string, content: Bytes) => Promise<void>

/**
 * Hands on each entry as it is read. Rejects when something is missing, was changed, or has a name that is not in the
 * list; what was handed on until then is of no use.
 */
export async function readArchive(source: Readable, passphrase: string | undefined, take: TakeEntry): Promise<void> {
  const tar = extract()
  let fault: unknown
  const note = (cause: unknown) => {
    fault ??= cause
    tar.destroy()
    source.destroy()
  }
  const open = passphrase === undefined ? (bytes: Bytes) => bytes : openWith(passphrase)
  const feed = async (pieces: Bytes) => {
    for await (const piece of pieces) if (!tar.write(piece)) await drained(tar)
    tar.end()
  }
  const fed = pipeline(source, open, createZstdDecompress(), feed)
  const read = takeEach(tar, async (name, content) => {
    // Noted before the archive is closed because of it.
    await take(name, content).catch(note)
    if (fault !== undefined) throw fault
  })
  const noteDamage = (cause: unknown) => note(isOfTheSystem(cause) || cause instanceof DomainError ? cause : damaged())
  await Promise.all([fed.catch(noteDamage), read.catch(noteDamage)])
  if (fault !== undefined) throw fault
}

/** An error of the disk or the network, and not of the archive. */
const isOfTheSystem = (cause: unknown): boolean => cause instanceof Error && "syscall" in cause

async function takeEach(tar: ReturnType<typeof extract>, take: TakeEntry): Promise<void> {
  const sums = createSums()
  const seen = new Set<string>()
  let isComplete = false
  for await (const entry of tar) {
    const { name, type } = entry.header
    const isFirst = seen.size === 0
    if (isComplete || type !== "file" || !isEntryName(name) || seen.has(name) || isFirst !== (name === headName))
      throw damaged()
    seen.add(name)
    if (name === endName) {
      const told = readEnd(await textOf(entry))
      const counted = sums.end()
      isComplete = told.sha256 === counted.sha256 && told.entries === counted.entries && told.bytes === counted.bytes
      if (!isComplete) throw damaged()
    } else {
      const sum = sums.begin(name)
      await take(name, summed(entry, sum.add))
      sum.end()
    }
  }
  if (!isComplete) throw damaged()
}

async function* summed(content: Bytes, add: (piece: Uint8Array) => void): Bytes {
  for await (const piece of content) {
    add(piece)
    yield piece
  }
}

const longestText = 65_536

/** The content of a small entry. */
export async function textOf(content: Bytes): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of content) {
    bytes += piece.length
    if (bytes > longestText) throw damaged()
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
