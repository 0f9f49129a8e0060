import { existsSync, lstatSync } from "node:fs"
import { join } from "node:path"
import { DomainError } from "../kernel/errors.ts"
import { unusable } from "./unusable.ts"

/**
 * A restore collects its files in this folder inside the data folder. While it exists, what lies beside it is not whole,
 * and belongs to the restore.
 */
export const restoringName = "restoring"

/** Refuses a folder into which a restore is running, or was interrupted. Writes nothing. */
export function requireRestored(folder: string): void {
  if (!existsSync(join(folder, restoringName))) return
  throw new DomainError(
    "conflict",
    "DATA_FOLDER_NOT_RESTORED",
    `A restore into the data folder ${folder} has not ended. If none is running, run \`mailstead restore\` again: it starts anew.`,
  )
}

/** Refuses a folder without a database, and one that is not restored. Writes nothing. */
export function requireData(folder: string): void {
  requireRestored(folder)
  if (hasData(folder)) return
  const sentence = `${folder} holds no data of Mailstead. Name the data folder with --data.`
  throw new DomainError("conflict", "DATA_FOLDER_EMPTY", sentence)
}

/** Whether there is a database, also where a restore has not ended. Throws when it cannot be told. */
export function hasData(folder: string): boolean {
  try {
    return lstatSync(join(folder, "mailstead.db"), { throwIfNoEntry: false }) !== undefined
  } catch (cause) {
    throw unusable(folder, cause)
  }
}
