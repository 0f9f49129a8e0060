import type { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib"
import { DomainError } from "../../kernel/errors.ts"
import { endName, headName, isEntryName, readEnd } from "./entries.ts"
import { damaged } from "./fault.ts"
import { openWith, sealWith } from "./seal.ts"
import { createSums } from "./sums.ts"
import { type Bytes, readTar, type TarEntry, writeTar } from "./tar.ts"

const compression = { params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } }

/**
 * An archive of the entries: a tar file, compressed with zstd, and encrypted if there is a passphrase. Its last entry
 * is a checksum of all others. Only the pieces being processed are in memory.
 */
export const writeArchive = (
  entries: AsyncIterable<TarEntry>,
  passphrase: string | undefined,
  sink: (bytes: Bytes) => Promise<void>,
): Promise<void> =>
  pipeline(
    writeTar(withEnd(entries)),
    createZstdCompress(compression),
    passphrase === undefined ? unchanged : sealWith(passphrase),
    sink,
  )

const unchanged = (bytes: Bytes): Bytes => bytes

async function* withEnd(entries: AsyncIterable<TarEntry>): AsyncIterable<TarEntry> {
  const sums = createSums()
  for await (const { content, ...entry } of entries) yield { ...entry, content: sums.of(entry.name, content) }
  yield textEntry(endName, `${JSON.stringify(sums.end())}\n`)
}

export function textEntry(name: string, text: string): TarEntry {
  const bytes = Buffer.from(text)
  return { name, bytes: bytes.length, content: once(bytes) }
}

async function* once(bytes: Uint8Array): Bytes {
  yield bytes
}

/** Consumes the whole content of an entry. */
export type TakeEntry = (name: string, content: Bytes) => Promise<void>

/**
 * Passes on each entry as it is read. Rejects when an entry is missing, altered or has an unknown name; the entries
 * passed on by then must be discarded.
 */
export async function readArchive(source: Readable, passphrase: string | undefined, take: TakeEntry): Promise<void> {
  try {
    await pipeline(
      source,
      passphrase === undefined ? unchanged : openWith(passphrase),
      createZstdDecompress(),
      (bytes: Bytes) => takeEach(readTar(bytes), take),
    )
  } catch (cause) {
    throw cause instanceof DomainError || isOfTheSystem(cause) ? cause : damaged()
  }
}

/** An error of the disk, not a fault of the archive. */
export const isOfTheSystem = (cause: unknown): boolean => cause instanceof Error && "syscall" in cause

async function takeEach(entries: AsyncIterable<TarEntry>, take: TakeEntry): Promise<void> {
  const sums = createSums()
  const seen = new Set<string>()
  let isComplete = false
  for await (const { name, content } of entries) {
    const isFirst = seen.size === 0
    if (isComplete || !isEntryName(name) || seen.has(name) || isFirst !== (name === headName)) throw damaged()
    seen.add(name)
    if (name === endName) {
      const told = readEnd(await textOf(content))
      const counted = sums.end()
      isComplete = told.sha256 === counted.sha256 && told.entries === counted.entries && told.bytes === counted.bytes
      if (!isComplete) throw damaged()
    } else await take(name, sums.of(name, content))
  }
  if (!isComplete) throw damaged()
}

const longestText = 65_536

/** The content of a small entry. */
export async function textOf(content: Bytes): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of content) {
    bytes += piece.length
    if (bytes > longestText) throw damaged()
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString("utf8")
}
