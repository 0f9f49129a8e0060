import { join } from "node:path"
import type { Engine } from "../../engine.ts"
import { iso } from "../../kernel/clock.ts"
import { conflict, notFound } from "../../kernel/errors.ts"
import { nilId } from "../../kernel/ids.ts"
import { reasonOf } from "../../kernel/log.ts"
import type { Bucket } from "../../store/backup/bucket.ts"
import { openBackupFolder } from "../../store/backup/folder.ts"
import { type TakeBackup, takeInProcess } from "../../store/backup/take-in-process.ts"
import { isSendingPaused, resumeSending, type SendingPause, sendingPauseOf } from "../../store/sending-pause.ts"
import type { Actor, Audit } from "../audit/index.ts"
import { takeJob } from "./jobs.ts"
import { deleteBackups, endBackup, findBackup, insertBackup, listBackups, listRunning, listSurplus } from "./store.ts"
import type { Backup } from "./table.ts"

export interface BackupTools {
  /** Takes a backup in another process, which tests replace. */
  readonly takeBackup?: TakeBackup
  /** The second place of backups, if any. */
  readonly bucket?: Bucket
}

export interface BackupDeps extends BackupTools {
  readonly audit: Pick<Audit, "record">
}

export type BackupEngine = Pick<Engine, "store" | "clock" | "ids" | "log" | "config" | "jobs">

/** The reason stored for backups that were interrupted. */
interface Left {
  readonly failed: string
  readonly notCopied: string
}

const interrupted: Left = {
  failed: "The server ended meanwhile.",
  notCopied: "It may not be in the bucket: the server ended meanwhile.",
}
const unrecorded: Left = {
  failed: "Its end could not be recorded: the log tells more.",
  notCopied: "It may not be in the bucket: its end could not be recorded.",
}

const listed = 100
/** Old backups that are read at a time. */
const atOnce = 100

export function createBackupActions(
  { store, clock, ids, log, config, jobs }: BackupEngine,
  { audit, takeBackup = takeInProcess, bucket }: BackupDeps,
) {
  const { keep, passphrase, withSecret } = config.backup
  const folder = config.backup.folder ?? join(store.folder, "backups")
  const stored = openBackupFolder(folder)
  /**
   * In memory, because only one process takes backups of a folder. A stored record of a running backup may be left over
   * from a crash.
   */
  let isTaking = false

  async function begin(): Promise<Backup> {
    const startedAt = clock.now()
    const id = ids.next()
    const name = `mailstead-${iso(startedAt).replace(/[-:]|\.\d+/g, "")}-${id.slice(-6)}.tar.zst${passphrase === null ? "" : ".sealed"}`
    const row: Backup = {
      id,
      name,
      state: "RUNNING",
      encrypted: passphrase !== null,
      hasSecret: withSecret,
      bytes: null,
      reason: null,
      startedAt,
      endedAt: null,
    }
    await store.write("instance", (unit) => insertBackup(unit, row))
    return row
  }

  /** Deletes the files of a backup; false, with a warning, when they cannot be deleted. */
  function discard(name: string): boolean {
    try {
      stored.remove(name)
      return true
    } catch (cause) {
      log.warn("The file of a backup could not be deleted", { backup: name, reason: reasonOf(cause) })
      return false
    }
  }

  /** Deletes the partial file first, because it may have filled the disk, on which the record needs space. */
  async function fail({ id, name }: Backup, reason: string): Promise<void> {
    discard(name)
    log.error("A backup failed", { reason })
    await store.write("instance", (unit) => endBackup(unit, id, { state: "FAILED", bytes: null, reason }))
  }

  /**
   * A complete file is kept: only its copy or its record was missing. In a restored folder the backup that it was
   * restored from is recorded as running; if the file of that is elsewhere, the record is deleted.
   */
  async function endLeft(row: Backup, { failed, notCopied }: Left): Promise<void> {
    const bytes = stored.bytesOf(row.name)
    if (bytes === undefined && !isOfOtherServer(row)) return fail(row, failed)
    const reason = bucket === undefined ? null : notCopied
    await store.write("instance", async (unit) => {
      if (bytes === undefined) await deleteBackups(unit, [row.id])
      else await endBackup(unit, row.id, { state: "DONE", bytes, reason })
    })
  }

  async function endAllLeft(left: Left): Promise<void> {
    for (const row of await listRunning(store.read)) await endLeft(row, left)
  }

  /** Whether it began before the backup that this folder was restored from. */
  const isOfOtherServer = ({ startedAt }: Backup): boolean =>
    startedAt <= (sendingPauseOf(store.folder)?.takenAt ?? Number.NEGATIVE_INFINITY)

  /** Resolves to why there is no copy, null when there is one or none is wanted. */
  async function copyToBucket(name: string, abort: AbortSignal): Promise<string | null> {
    try {
      await bucket?.put(name, stored.pathOf(name), abort)
      return null
    } catch (cause) {
      const reason = `It is not in the bucket: ${reasonOf(cause)}`
      log.error("A backup is on this machine only", { reason })
      return reason
    }
  }

  /**
   * Deletes backups beyond those to keep: files, copies, then records. A failed backup may have a copy too. What cannot
   * be deleted is tried again next time; after the first copy that cannot be deleted, the bucket is not asked for the
   * others.
   */
  async function deleteSurplus(abort: AbortSignal): Promise<void> {
    let isBucketOpen = true
    for (let after = nilId; ; ) {
      const surplus = await listSurplus(store.read, keep, after, atOnce)
      const dropped: string[] = []
      for (const { id, name } of surplus) {
        if (!discard(name)) continue
        isBucketOpen &&= await deleteCopy(name, abort)
        if (isBucketOpen) dropped.push(id)
      }
      if (dropped.length > 0) await store.write("instance", (unit) => deleteBackups(unit, dropped))
      const last = surplus.at(-1)
      if (last === undefined || surplus.length < atOnce) return
      after = last.id
    }
  }

  /** False when the copy stays in the bucket. */
  async function deleteCopy(name: string, abort: AbortSignal): Promise<boolean> {
    try {
      await bucket?.remove(name, abort)
      return true
    } catch (cause) {
      log.warn("An old backup stays in the bucket", { reason: reasonOf(cause) })
      return false
    }
  }

  async function takeOne(abort: AbortSignal): Promise<void> {
    const row = await begin()
    try {
      await stored.prepare()
      const bytes = await takeBackup(
        { folder: store.folder, target: stored.pathOf(row.name), passphrase: passphrase ?? undefined, withSecret },
        abort,
      )
      const reason = await copyToBucket(row.name, abort)
      await store.write("instance", (unit) => endBackup(unit, row.id, { state: "DONE", bytes, reason }))
    } catch (cause) {
      await fail(row, abort.aborted ? "It was stopped before its end." : reasonOf(cause))
      abort.throwIfAborted()
      return
    }
    abort.throwIfAborted()
    // While sending is paused, nothing is deleted: the recorded backups belong to the original server, which may still
    // be in use.
    if (isSendingPaused(store.folder)) return
    // A failure to delete old backups does not affect the new one.
    await deleteSurplus(abort).catch((cause) =>
      log.warn("Old backups could not be deleted", { reason: reasonOf(cause) }),
    )
  }

  return {
    folder,

    /** The newest ones first, and whether their files are still there. */
    async list(): Promise<(Backup & { available: boolean })[]> {
      const rows = await listBackups(store.read, listed)
      return rows.map((row) => ({ ...row, available: row.state === "DONE" && stored.has(row.name) }))
    },

    /**
     * Takes a backup and records its outcome. Rejects when the server stops, or when the outcome cannot be recorded,
     * which the next backup then does. One at a time.
     */
    async take(abort: AbortSignal): Promise<void> {
      isTaking = true
      try {
        await endAllLeft(unrecorded)
        await takeOne(abort)
      } finally {
        isTaking = false
      }
    },

    /** Requests a backup in the background. @throws {DomainError} while one is waiting or running */
    async request(actor: Actor): Promise<void> {
      const added = await store.write("instance", async (unit) => {
        if (isTaking) return false
        const isNew = await jobs.enqueue(unit, takeJob, {}, { uniqueKey: takeJob.name })
        if (isNew) await audit.record(unit, { action: "backup.requested", actor })
        return isNew
      })
      if (!added) throw conflict("A backup is being taken. The next one can follow when it is done.")
    },

    /** The file of a backup that is done; its download is audited. */
    async download(id: string, actor: Actor): Promise<{ name: string; bytes: Blob }> {
      const row = await findBackup(store.read, id)
      if (row?.state !== "DONE" || !stored.has(row.name)) throw notFound("Backup", id)
      await store.write("instance", (unit) =>
        audit.record(unit, { action: "backup.downloaded", actor, details: { name: row.name } }),
      )
      return { name: row.name, bytes: stored.open(row.name) }
    },

    /** Why none can be stored, in a sentence; undefined when nothing prevents it. */
    folderFault: (): string | undefined => stored.fault(),

    /** Those that ended with an earlier process. Called before any loop starts. */
    endInterrupted: (): Promise<void> => endAllLeft(interrupted),

    /** Why nothing is sent; undefined when sending is not paused. */
    sendingPause: (): SendingPause | undefined => sendingPauseOf(store.folder),

    /** Ends the pause of a restored folder; false when there is none. The command line has no actor. */
    async resumeSending(actor?: Actor): Promise<boolean> {
      if (!isSendingPaused(store.folder)) return false
      await store.write("instance", (unit) =>
        audit.record(unit, { action: "sending.resumed", ...(actor && { actor }) }),
      )
      resumeSending(store.folder)
      return true
    },
  }
}

export type Backups = ReturnType<typeof createBackupActions>
