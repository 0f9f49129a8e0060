import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  type StatsFs,
  statfsSync,
  statSync,
} from "node:fs"
import { join } from "node:path"
import { databaseName } from "./database-file.ts"

/** Facts from the operating system about the data folder and the process that uses it. */
export interface Machine {
  /** Undefined when there is no such folder. */
  folder(): FolderState | undefined
  /** The space that this user may fill, in bytes; of the nearest folder that exists. */
  freeBytes(): number
  /** How many more files its disk has room for; undefined where the file system has no limit of its own, as Btrfs and CephFS. */
  freeFiles(): number | undefined
  /** The process id of the running server, as stored in the folder; undefined when none runs. */
  server(): number | undefined
  /**
   * The limit of open files, connections included, of the server, or of this process when no server runs; undefined
   * when unknown.
   */
  openFilesLimit(): number | undefined
}

interface FolderState {
  /** Also when the database is gone, which opening the store tells. */
  readonly hasDatabase: boolean
  readonly isWritable: boolean
  /** Whether the file system is read-only, as after a disk fault. The folder is then not writable either. */
  readonly isReadOnly: boolean
  /** Whether other users of the machine may look into it. */
  readonly isOpenToOthers: boolean
  /** Whether it belongs to the user that runs this process. */
  readonly isOwn: boolean
  readonly owner: number
}

/**
 * Never the database or the lock: closing another descriptor of these would drop the locks of this process on them
 * (POSIX).
 */
const noteIn = (folder: string): string => join(folder, "mailstead.pid")

/** The id of the process that holds, or last held, the folder; undefined when none is stored. */
function holderOf(folder: string): number | undefined {
  const [, pid] = /(?<!\d)(\d+)$/.exec(textOf(noteIn(folder)) ?? "") ?? []
  return pid === undefined ? undefined : Number(pid)
}

/** Whether the process that last held the folder has ended, possibly without removing its id. */
export function hasLostServer(folder: string): boolean {
  const pid = holderOf(folder)
  return pid !== undefined && !runs(pid)
}

export function machineOf(folder: string, statOf: (path: string) => StatsFs = statfsSync): Machine {
  const server = () => {
    const pid = holderOf(folder)
    return pid !== undefined && runs(pid) ? pid : undefined
  }
  return {
    server,
    folder() {
      const found = statSync(folder, { throwIfNoEntry: false })
      if (!found?.isDirectory()) return undefined
      const fault = writeFault(folder)
      return {
        hasDatabase: [databaseName, "node"].some((name) => existsSync(join(folder, name))),
        isWritable: fault === undefined,
        isReadOnly: fault === "EROFS",
        isOpenToOthers: (found.mode & 0o077) !== 0,
        isOwn: process.getuid === undefined || process.getuid() === found.uid,
        owner: found.uid,
      }
    },
    freeBytes() {
      const { bavail, bsize } = statOf(nearest(folder))
      return bavail * bsize
    },
    freeFiles() {
      const { files, ffree } = statOf(nearest(folder))
      // Without a limit Btrfs has no files at all, and CephFS as many free ones as a number can be, which is read as -1.
      return files > 0 && ffree >= 0 ? ffree : undefined
    },
    openFilesLimit() {
      const limits = textOf(`/proc/${server() ?? "self"}/limits`) ?? ""
      const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(limits) ?? []
      return soft === undefined ? undefined : soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft)
    },
  }
}

/** The folder, or the nearest one above it that exists. */
function nearest(folder: string): string {
  let at = folder
  while (!existsSync(at)) at = join(at, "..")
  return at
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim()
  } catch {
    return undefined
  }
}

/** The error code that writing would fail with. Nothing is written. */
function writeFault(folder: string): string | undefined {
  try {
    accessSync(folder, constants.W_OK)
    // A file system that Linux has made read-only after an error still grants access; opening a file for writing fails.
    closeSync(openSync(noteIn(folder), "r+"))
    return undefined
  } catch (cause) {
    const { code } = cause as { code?: string }
    return code === "ENOENT" ? undefined : code
  }
}

/** A process of another user cannot be signalled, but exists. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as { code?: string }).code === "EPERM"
  }
}
