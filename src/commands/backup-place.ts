import { readdir, rm, stat } from "node:fs/promises"
import { basename, join, resolve, sep } from "node:path"
import { type BucketPlace, bucketObjectOf } from "../config/bucket-url.ts"
import { hour, systemClock } from "../kernel/clock.ts"
import { openBucket } from "../store/backup/bucket.ts"
import { backupFault } from "../store/backup/fault.ts"
import { openBackupFolder } from "../store/backup/folder.ts"
import { type BackupSource, fileSource } from "../store/backup/source.ts"
import { type Io, UsageError } from "./args.ts"

/** Where a backup goes: a file, or an object of a bucket. */
interface BackupPlace {
  readonly name: string
  /** `take` writes it to a file. A backup for a bucket is a file in `folder` until it is uploaded. */
  fill<T>(folder: string, take: (target: string) => Promise<T>): Promise<T>
}

export function placeOf(word: string, configured: BucketPlace | null, io: Pick<Io, "env" | "stop">): BackupPlace {
  const found = objectOf(word, configured, io)
  if (found === undefined) {
    if (word.endsWith("/") || word.endsWith(sep))
      throw new UsageError(`${word} names a folder: name a new file in it, ${word}backup.tar.zst`)
    const name = resolve(word)
    return { name, fill: (_, take) => take(name) }
  }
  const { bucket, name } = found
  const shown = bucket.source(name, io.stop).name
  return {
    name: shown,
    async fill(folder, take) {
      if (await bucket.has(name, io.stop)) throw backupFault(`${shown} exists. A backup is always a new file.`)
      const backups = openBackupFolder(folder)
      await backups.prepare()
      await removeLeftUploads(folder)
      const file = join(folder, `upload-${crypto.randomUUID()}-${basename(name)}`)
      const taken = await take(file)
      try {
        await bucket.put(name, file, io.stop)
      } finally {
        await rm(file, { force: true })
      }
      return taken
    },
  }
}

/** An upload ends within hours after the last write to its file, so an older file is left over from a killed run. */
const abandonedMs = 24 * hour

/** Removes the files of runs that were killed before their upload was complete. */
async function removeLeftUploads(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/^upload-[0-9a-f-]{36}-/.test(name)) continue
    const found = await stat(join(folder, name)).catch(() => undefined)
    if (found && found.mtimeMs < systemClock.now() - abandonedMs) await rm(join(folder, name), { force: true })
  }
}

/** Its reading ends with an error when the process is to stop. */
export function sourceOf(word: string, configured: BucketPlace | null, io: Pick<Io, "env" | "stop">): BackupSource {
  const found = objectOf(word, configured, io)
  return found === undefined ? fileSource(resolve(word), io.stop) : found.bucket.source(found.name, io.stop)
}

/** Undefined when the word is not the URL of a bucket. Missing parts of the URL are taken from `backup.url`. */
function objectOf(word: string, configured: BucketPlace | null, { env }: Pick<Io, "env">) {
  if (!/^s3:/i.test(word)) return undefined
  const found = bucketObjectOf(word)
  if (found === undefined) throw new UsageError(`${word} is not s3://BUCKET/FOLDER/NAME?endpoint=URL&region=NAME`)
  const { endpoint = configured?.endpoint, region = configured?.region } = found.place
  return { bucket: openBucket({ ...found.place, endpoint, region }, (name) => env[name]), name: found.name }
}
