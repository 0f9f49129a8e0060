import { existsSync } from "node:fs"
import { join } from "node:path"
import { DomainError } from "../kernel/errors.ts"

/**
 * A restore collects its files in this folder inside the data folder. While it exists, the data folder is incomplete
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
