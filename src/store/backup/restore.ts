import { existsSync } from "node:fs"
import { mkdir, open, readdir, readFile, rename, rm, rmdir } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import type { Clock } from "../../kernel/clock.ts"
import { databaseName } from "../database-file.ts"
import { lockFolder } from "../lock.ts"
import { manualTimeName } from "../manual-time.ts"
import { readFileIfThere } from "../private-file.ts"
import { restoringName } from "../restoring.ts"
import { secretIdOf } from "../secret.ts"
import { pauseSending } from "../sending-pause.ts"
import { checkDatabase } from "../sqlite/check-database.ts"
import { syncFolder } from "../sync.ts"
import { unusable } from "../unusable.ts"
import { isOfTheSystem } from "./archive.ts"
import { type Head, modeName, secretName } from "./entries.ts"
import { backupFault, damaged } from "./fault.ts"
import { type Checked, readBackup } from "./read.ts"
import { type BackupSource, unreadable } from "./source.ts"
import type { Bytes } from "./tar.ts"

interface RestoreOptions {
  readonly source: BackupSource
  readonly folder: string
  readonly passphrase: string | undefined
  /** Where the secret of the old data folder is, for a backup that has none. */
  readonly secretFile: string | undefined
  /** Replaces what is encrypted with the secret of the old data folder, for a backup without it when it is lost. */
  readonly makeNewSecret?: ((folder: string) => Promise<void>) | undefined
  /** Ends it early; then the folder is empty again, or gone when the restore has made it. */
  readonly abort?: AbortSignal
}

interface Restored extends Checked {
  /** Whether nothing is sent until that is resumed. */
  readonly isPaused: boolean
}

/** Files that a server, or a restore, that has not reached its data leaves in a folder. */
const traces = ["mailstead.lock", "mailstead.lock-journal", "mailstead.pid", restoringName]
/** Exists at the top of an empty file system. */
const recovery = "lost+found"
const restoredNames = [modeName, secretName, manualTimeName, "tls", "files", "imports", "sending-paused", databaseName]

/**
 * Restores a backup into an empty folder. Everything is collected and checked in a folder inside it, then moved; until
 * that is done, neither a server nor a command opens the data folder, and another restore starts anew. A folder that was
 * made for a restore that failed is removed again.
 */
export async function restoreBackup(options: RestoreOptions, clock: Clock): Promise<Restored> {
  const { folder } = options
  await requireEmpty(folder)
  const made = await mkdir(folder, { recursive: true, mode: 0o700 }).catch(asUnusable(folder))
  const lock = lockFolder(folder, `a restore (process ${process.pid})`)
  let isRestored = false
  try {
    await requireEmpty(folder)
    await removeAll(folder)
    const staging = join(folder, restoringName)
    await mkdir(staging, { mode: 0o700 }).catch(asUnusable(folder))
    try {
      const checked = await collect(options, staging)
      checkDatabase(join(staging, databaseName), "The database in the backup")
      if (checked.clock !== undefined) await write(join(staging, manualTimeName), [Buffer.from(checked.clock)])
      if (lacksSecret(options, checked)) await options.makeNewSecret?.(staging)
      const isPaused = checked.mode === "serve"
      if (isPaused) pauseSending(staging, { since: clock.now(), takenAt: Date.parse(checked.takenAt) })
      await settle(staging, folder)
      isRestored = true
      return { ...checked, isPaused }
    } catch (cause) {
      await removeAll(folder)
      if (options.abort?.aborted) throw wasStopped()
      throw isOfTheSystem(cause) ? unusable(folder, cause) : cause
    }
  } finally {
    lock.release()
    if (made !== undefined && !isRestored) await removeMade(folder, made)
  }
}

const wasStopped = () => backupFault("The restore was stopped. The folder is empty again.")

/** Removes the folder and the parents that were created for it, unless they contain other files. */
async function removeMade(folder: string, made: string): Promise<void> {
  try {
    for (const name of traces) await rm(join(folder, name), { force: true })
    for (let at = resolve(folder); at.length >= resolve(made).length; at = dirname(at)) await rmdir(at)
  } catch {
    // Not empty: it stays.
  }
}

const asUnusable =
  (path: string) =>
  (cause: unknown): never => {
    throw unusable(path, cause)
  }

/** Accepts only a folder that does not exist or is empty, apart from the leftovers of an interrupted restore. */
async function requireEmpty(folder: string): Promise<void> {
  let found: string[]
  try {
    found = await readdir(folder)
  } catch (cause) {
    if ((cause as { code?: string }).code === "ENOENT") return
    throw unusable(folder, cause)
  }
  const allowed = [recovery, ...traces, ...(found.includes(restoringName) ? restoredNames : [])]
  const [other] = found.filter((name) => !allowed.includes(name))
  if (other === undefined) return
  throw backupFault(
    `${folder} is not empty (it has ${other}). Restore into another folder with --data, then swap the two.`,
  )
}

/** Removes the leftovers of an interrupted restore, the mark last. */
async function removeAll(folder: string): Promise<void> {
  const staging = join(folder, restoringName)
  if (!(await readdir(folder)).includes(restoringName)) return
  for (const name of restoredNames) await rm(join(folder, name), { recursive: true, force: true })
  await rm(staging, { recursive: true, force: true })
}

const lacksSecret = ({ secretFile }: RestoreOptions, { hasSecret }: Pick<Head, "hasSecret">): boolean =>
  !hasSecret && secretFile === undefined

/** Reads the whole backup into the staging folder. */
async function collect(options: RestoreOptions, staging: string): Promise<Checked> {
  const { source, passphrase, secretFile, makeNewSecret, abort } = options
  const accept = (head: Head) => {
    if (!lacksSecret(options, head) || makeNewSecret !== undefined) return
    throw backupFault(
      "The backup was taken without the secret of its data folder, without which keys, sessions and links in mail that was sent are lost. Name that file with --secret-file FILE; when it is lost, --new-secret restores the rest.",
    )
  }
  const checked = await readBackup(source, passphrase, accept, (name, content) => {
    if (abort?.aborted) throw wasStopped()
    return write(join(staging, name), content)
  })
  // Whether sending is paused depends on the mode.
  if (readFileIfThere(join(staging, modeName))?.trim() !== checked.mode) throw damaged()
  if (!existsSync(join(staging, databaseName))) throw damaged()
  if (lacksSecret(options, checked)) return checked
  const secret = join(staging, secretName)
  if (!checked.hasSecret && secretFile !== undefined) await write(secret, [await readSecret(secretFile)])
  if (secretIdOf(secret) !== checked.secretId)
    throw checked.hasSecret ? damaged() : backupFault(`${secretFile} is not the secret of the folder of this backup.`)
  return checked
}

const readSecret = (path: string): Promise<Buffer> =>
  readFile(path).catch((cause) => {
    throw unreadable(path, cause)
  })

async function write(path: string, content: Bytes | Iterable<Uint8Array>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, "wx", 0o600)
  try {
    for await (const piece of content) await file.writeFile(piece)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Moves everything into place, the database last. With the mark the restore is complete. */
async function settle(staging: string, folder: string): Promise<void> {
  const collected = await readdir(staging, { recursive: true, withFileTypes: true })
  for (const entry of collected) if (entry.isDirectory()) await syncFolder(join(entry.parentPath, entry.name))
  const present = new Set(collected.filter(({ parentPath }) => parentPath === staging).map(({ name }) => name))
  for (const name of restoredNames) if (present.has(name)) await rename(join(staging, name), join(folder, name))
  await syncFolder(folder)
  // What SQLite and the store have left of their work on the database.
  await rm(staging, { recursive: true })
  await syncFolder(folder)
}
