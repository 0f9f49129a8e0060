import { type FileHandle, link, lstat, open, readdir, readFile, rename, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { buildInfo } from "../../kernel/build-info.ts"
import { type Clock, iso } from "../../kernel/clock.ts"
import type { Db } from "../database.ts"
import { databaseName, requireData } from "../database-file.ts"
import { manualTimeOf } from "../manual-time.ts"
import { modeOfFolder } from "../mode.ts"
import { lacksLinks } from "../private-file.ts"
import { openSecret, secretIdOf } from "../secret.ts"
import { type Handle, openReader } from "../sqlite/connection.ts"
import { contentOf, holdSnapshot, levelOf } from "../sqlite/snapshot.ts"
import { unsoundnessOf } from "../sqlite/soundness.ts"
import { syncFolder } from "../sync.ts"
import { unusable } from "../unusable.ts"
import { isOfTheSystem, textEntry, writeArchive } from "./archive.ts"
import { format, type Head, headName, isFileName, modeName, secretName } from "./entries.ts"
import { backupFault, backupStopped } from "./fault.ts"
import { type Checked, checkBackup } from "./read.ts"
import { fileSource } from "./source.ts"
import type { Bytes, TarEntry } from "./tar.ts"

export interface TakeOptions {
  /** The data folder, whose server may be running. */
  readonly folder: string
  readonly target: string
  readonly passphrase: string | undefined
  /** Puts the secret of the folder in, which takes a passphrase. */
  readonly withSecret: boolean
  /** Ends it early; then nothing is left of it. */
  readonly abort?: AbortSignal
}

interface TakeDeps {
  readonly clock: Clock
  /** A value that the secret of the folder has encrypted, if there is one. */
  readonly findSealed: (db: Db) => Promise<string | undefined>
}

/**
 * Takes a backup of a data folder into a new file, which gets its name when it is complete, on disk, and was read back.
 * Belongs into a process of its own (`holdSnapshot`). Rejects when the secret of the folder is not that of the database, and
 * when a restore would refuse the database: such backups would take the place of the good ones.
 */
export async function takeBackup(options: TakeOptions, { clock, findSealed }: TakeDeps): Promise<Checked> {
  const { folder, target, passphrase, withSecret, abort = new AbortController().signal } = options
  if (withSecret && passphrase === undefined)
    throw backupFault("The secret of the data folder goes into encrypted backups only: give a passphrase.")
  requireData(folder)
  if (await isThere(target)) throw backupFault(`${target} exists. A backup is always a new file.`)
  await requireFit(folder, { clock, findSealed }, abort)
  const draft = `${target}.part`
  await makeDraft(draft, target)
  try {
    await writeArchive(entriesOf(options, clock), passphrase, (bytes) => save(draft, bytes, clock, abort))
    const checked = await checkBackup(fileSource(draft, abort), passphrase)
    abort.throwIfAborted()
    await giveName(draft, target)
    return checked
  } catch (cause) {
    await rm(draft, { force: true })
    if (abort.aborted) throw backupStopped()
    throw isOfTheSystem(cause) ? unusable(target, cause) : cause
  }
}

/**
 * A backup identifies its secret and is only restored with that, so a wrong secret would make it useless. The database
 * is checked before its state is held, not meanwhile, because its log grows during both.
 */
async function requireFit(folder: string, { clock, findSealed }: TakeDeps, abort: AbortSignal): Promise<void> {
  const path = join(folder, databaseName)
  let reader: Handle | undefined
  try {
    reader = openReader(path)
    const sealed = await findSealed(reader.db)
    if (sealed !== undefined) openSecret(folder, sealed)
    const fault = await unsoundnessOf(path, { clock, abort })
    if (fault !== undefined)
      throw backupFault(`${path}: ${fault}. A restore would refuse its backup: restore an earlier one.`)
  } catch (cause) {
    throw abort.aborted ? backupStopped() : unusable(path, cause)
  } finally {
    reader?.client.close()
  }
}

/** True also for a dangling symbolic link. Throws when this cannot be determined. */
const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    (cause) => {
      if (cause.code === "ENOENT") return false
      throw unusable(path, cause)
    },
  )

async function makeDraft(path: string, target: string): Promise<void> {
  try {
    await (await open(path, "wx", 0o600)).close()
  } catch (cause) {
    if ((cause as { code?: string }).code !== "EEXIST") throw unusable(target, cause)
    throw backupFault(`${path} is there: another backup is running, or one was interrupted. Delete it then.`)
  }
}

/**
 * Commits of the server wait for other writes to the disk. So this syncs little at a time, and after each sync pauses
 * for as long as the sync took.
 */
const syncedBytes = 4 * 1_048_576

async function save(path: string, bytes: Bytes, clock: Clock, abort?: AbortSignal): Promise<void> {
  const file = await open(path, "r+")
  try {
    let unsynced = 0
    for await (const piece of bytes) {
      abort?.throwIfAborted()
      await file.writeFile(piece)
      unsynced += piece.length
      if (unsynced < syncedBytes) continue
      const before = performance.now()
      await file.datasync()
      await clock.sleep(performance.now() - before, abort ?? new AbortController().signal)
      unsynced = 0
    }
    await file.sync()
  } finally {
    await file.close()
  }
}

/** By a hard link, because a rename would replace a file that was created there meanwhile. */
async function giveName(draft: string, target: string): Promise<void> {
  try {
    await link(draft, target)
    await rm(draft)
  } catch (cause) {
    if (!lacksLinks(cause)) throw cause
    await (await open(target, "wx", 0o600)).close()
    await rename(draft, target)
  }
  await syncFolder(dirname(target))
}

/**
 * Files are kept before the rows that name them, and removed after those. So what is copied before the database is held
 * lacks only new files, which follow while it is held. The file of an import lives for a moment only, so those are opened just
 * before and after the database is held: what is open can be copied when its name is gone.
 */
async function* entriesOf({ folder, passphrase, withSecret }: TakeOptions, clock: Clock): AsyncIterable<TarEntry> {
  const mode = modeOfFolder(folder) ?? "serve"
  const database = join(folder, databaseName)
  const standsAt = manualTimeOf(folder)
  const head: Head = {
    format,
    version: buildInfo.version,
    takenAt: iso(clock.now()),
    mode,
    level: levelOf(database),
    secretId: secretIdOf(join(folder, secretName)),
    hasSecret: withSecret,
    ...(standsAt !== undefined && { clock: iso(standsAt) }),
  }
  yield textEntry(headName, `${JSON.stringify(head)}\n`)
  yield textEntry(modeName, mode)
  if (withSecret) yield textEntry(secretName, await readFile(join(folder, secretName), "utf8"))
  const copied = new Set<string>()
  // Private keys go into encrypted backups only; a server without them obtains a new certificate.
  if (passphrase !== undefined) yield* filesIn(folder, "tls", copied)
  yield* filesIn(folder, "files", copied)
  const imports = new Map<string, FileHandle>()
  try {
    await openFilesIn(folder, "imports", imports)
    const snapshot = await holdSnapshot(database, clock)
    try {
      await openFilesIn(folder, "imports", imports)
      for (const [name, file] of imports) yield { name, bytes: (await file.stat()).size, content: contentOf(file) }
      yield* filesIn(folder, "files", copied)
      yield { name: databaseName, bytes: snapshot.bytes, content: snapshot.read() }
    } finally {
      await snapshot.close()
    }
  } finally {
    for (const file of imports.values()) await file.close()
  }
}

/** Opens those that are not open yet. */
async function openFilesIn(folder: string, top: string, opened: Map<string, FileHandle>): Promise<void> {
  for (const name of await namesUnder(folder, top)) {
    const file = opened.has(name) ? undefined : await open(join(folder, name), "r").catch(orNothing)
    if (file !== undefined) opened.set(name, file)
  }
}

/** The files that are not copied yet. A file that was removed meanwhile, with its row, is skipped. */
async function* filesIn(folder: string, top: string, copied: Set<string>): AsyncIterable<TarEntry> {
  for (const name of await namesUnder(folder, top)) {
    if (copied.has(name)) continue
    const file = await open(join(folder, name), "r").catch(orNothing)
    if (file === undefined) continue
    try {
      copied.add(name)
      yield { name, bytes: (await file.stat()).size, content: contentOf(file) }
    } finally {
      await file.close()
    }
  }
}

async function namesUnder(folder: string, top: string): Promise<string[]> {
  const found = (await readdir(join(folder, top), { recursive: true }).catch(orNothing)) ?? []
  return found.map((name) => `${top}/${name.replaceAll("\\", "/")}`).filter(isFileName)
}

const orNothing = (cause: unknown): undefined => {
  if ((cause as { code?: string }).code !== "ENOENT") throw cause
}
