import { createReadStream } from "node:fs"
import { open, rm } from "node:fs/promises"
import type { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGunzip } from "node:zlib"
import { archiveOf } from "../../net/release/fetch.ts"
import type { Archive, Content } from "../../net/release/manifest.ts"

/** A tar begins with one block about its first file, which is the executable. */
const tarHeader = 512

/**
 * Writes the executable of an archive to `target`. The archive is unpacked only after its hash was verified. On failure
 * no file is left behind.
 */
export async function fetchExecutable(
  url: string,
  archive: Archive,
  target: string,
  abort: AbortSignal,
): Promise<void> {
  const draft = `${target}.tar.gz`
  try {
    await rm(target, { force: true })
    await save(archiveOf(url, AbortSignal.any([abort, AbortSignal.timeout(20 * 60_000)])), draft, archive, 0o600, url)
    const unpacked = createGunzip()
    const reading = pipeline(createReadStream(draft), unpacked)
    // A consumer that has enough ends the stream early, which is not an error.
    reading.catch(() => {})
    await save(firstFile(unpacked, archive.executable.size), target, archive.executable, 0o755, archive.file)
  } catch (cause) {
    await rm(target, { force: true })
    throw cause
  } finally {
    await rm(draft, { force: true })
  }
}

async function* firstFile(tar: Readable, size: number): AsyncGenerator<Uint8Array> {
  let at = 0
  for await (const chunk of tar as AsyncIterable<Uint8Array>) {
    const part = chunk.subarray(Math.max(0, tarHeader - at), Math.max(0, tarHeader + size - at))
    if (part.length > 0) yield part
    at += chunk.length
    if (at >= tarHeader + size) return
  }
}

/**
 * Writes a download of the expected size and hash and syncs it; reads no further byte. Throws a sentence when size or
 * hash differ.
 */
async function save(
  source: AsyncIterable<Uint8Array>,
  path: string,
  expected: Content,
  mode: number,
  name: string,
): Promise<void> {
  await rm(path, { force: true })
  const file = await open(path, "wx", mode)
  const hash = new Bun.CryptoHasher("sha256")
  let size = 0
  try {
    for await (const part of source) {
      size += part.length
      if (size > expected.size) break
      hash.update(part)
      await file.writeFile(part)
    }
    if (size !== expected.size || hash.digest("hex") !== expected.sha256)
      throw new Error(`${name} is not the file that was signed. Nothing was changed.`)
    // The umask of the process may have removed permissions.
    await file.chmod(mode)
    await file.sync()
  } finally {
    await file.close()
  }
}
