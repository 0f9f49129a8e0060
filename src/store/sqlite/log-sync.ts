import { closeSync, fdatasync, openSync } from "node:fs"
import { promisify } from "node:util"
import { DomainError } from "../../kernel/errors.ts"
import { type Log, reasonOf } from "../../kernel/log.ts"
import { unusable } from "../unusable.ts"

/** Resolves when everything that was in the file at the call is on disk. Tests delay it or let it fail. */
export type SyncFile = (fd: number) => Promise<void>

/** Runs on a thread of the runtime, so that the event loop goes on meanwhile. */
const dataSync: SyncFile = promisify(fdatasync)

/** Syncs the write-ahead log, one sync at a time. */
interface LogSync {
  /**
   * Resolves when everything that the log contains now is on disk. All requests that come while a sync is running share
   * the next one. Rejects if the sync failed.
   */
  request(): Promise<void>
  /** False after a failed sync, for the rest of the process. */
  readonly isSound: boolean
  /** Throws after a failed sync. */
  requireSound(): void
  /** Call it when no sync is running. */
  close(): void
}

/**
 * A failed sync is final. The kernel reports it once and may consider the pages clean afterwards, so that another sync
 * would succeed although the data is lost; and commits that follow a gap in the log are lost with it. The recovery at
 * the next start checks each frame, and so finds what the log on disk contains.
 *
 * The file is the one that the writing connection has open: SQLite deletes the log only with its last connection, and
 * `file-watch.ts` refuses transactions when somebody else has. SQLite restarts the log at its beginning only when all
 * of it is in the synced database file, so that a sync that runs meanwhile has nothing left to do for the frames that
 * are overwritten.
 */
export function createLogSync(path: string, log: Log, sync: SyncFile = dataSync): LogSync {
  let fd: number | undefined = openLog(`${path}-wal`)
  let requested: PromiseWithResolvers<void> | undefined
  let isRunning = false
  let isSound = true

  async function run(): Promise<void> {
    isRunning = true
    while (requested !== undefined) {
      const { resolve, reject } = requested
      requested = undefined
      try {
        if (isSound && fd !== undefined) await sync(fd)
      } catch (cause) {
        isSound = false
        log.error(
          "The disk has failed to store the last writes. Nothing is written any more: check it, then restart.",
          {
            reason: reasonOf(cause),
          },
        )
      }
      if (isSound) resolve()
      else reject(failed("The disk has failed: it is not known whether this change was stored."))
    }
    isRunning = false
  }

  return {
    request() {
      requested ??= Promise.withResolvers()
      const { promise } = requested
      if (!isRunning) void run()
      return promise
    },
    get isSound() {
      return isSound
    },
    requireSound() {
      if (!isSound) throw failed("The disk has failed: nothing is stored until the server is restarted.")
    },
    close() {
      if (fd !== undefined) closeSync(fd)
      fd = undefined
    },
  }
}

const failed = (message: string): DomainError =>
  new DomainError("unavailable", "STORE_UNAVAILABLE", message, {
    suggestion: "Check the disk of the data folder, then restart the server.",
  })

function openLog(path: string): number {
  try {
    return openSync(path, "r+")
  } catch (cause) {
    throw unusable(path, cause)
  }
}
