import { existsSync, readFileSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { iso } from "../kernel/clock.ts"
import { replaceFile } from "./private-file.ts"
import { unusable } from "./unusable.ts"

/**
 * Why nothing leaves this data folder: it was restored from a backup, and the server that the backup is of may still be
 * sending the same mail; or an update waits whether the new version stays, because without it the database of before is
 * restored. A fact of this copy and not of its data, so it is a file beside the database, which a command can remove
 * while the server runs.
 */
export interface SendingPause {
  /** When the backup was restored, or the update began, in ms. */
  readonly since: number
  /** When the backup was taken, in ms: what was waiting then is sent after the pause. Undefined without one. */
  readonly takenAt: number | undefined
}

const fileIn = (folder: string): string => join(folder, "sending-paused")

/** Reads the file each time, which takes a few microseconds, so that the end of a pause takes effect at once. */
export const isSendingPaused = (folder: string): boolean => existsSync(fileIn(folder))

/** The content of the file. An invalid file pauses too. */
export function sendingPauseOf(folder: string): SendingPause | undefined {
  const path = fileIn(folder)
  if (!existsSync(path)) return undefined
  try {
    const [since = "", takenAt = ""] = readFileSync(path, "utf8").split("\n")
    return { since: timeIn(since) ?? statSync(path).mtimeMs, takenAt: timeIn(takenAt) }
  } catch (cause) {
    throw unusable(path, cause)
  }
}

function timeIn(text: string): number | undefined {
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}

export function pauseSending(folder: string, { since, takenAt }: SendingPause): void {
  const lines = [since, ...(takenAt === undefined ? [] : [takenAt])].map(iso)
  replaceFile(fileIn(folder), `${lines.join("\n")}\n`)
}

export function resumeSending(folder: string): void {
  const path = fileIn(folder)
  try {
    rmSync(path, { force: true })
  } catch (cause) {
    throw unusable(path, cause)
  }
}
