import { existsSync, lstatSync, type Stats } from "node:fs"
import { join } from "node:path"
import { DomainError } from "../kernel/errors.ts"
import { requireRestored } from "./restoring.ts"
import { unusable } from "./unusable.ts"

/** The file in the data folder; a backup has it under the same name. */
export const databaseName = "mailstead.db"

/** Whether there is a database, also in an unfinished restore. Throws when this cannot be determined. */
export const hasData = (folder: string): boolean => databaseIn(folder) !== undefined

/** Refuses a folder without a database, and one that `requireKept` refuses. Writes nothing. */
export function requireData(folder: string): void {
  requireKept(folder)
  if (hasData(folder)) return
  const sentence = `${folder} holds no data of Mailstead. Name the data folder with --data.`
  throw new DomainError("conflict", "DATA_FOLDER_EMPTY", sentence)
}

/**
 * Refuses a folder whose database was deleted or emptied since it was made, because a new one in its place would look
 * like a loss of all data, and one that is not restored. Passes a folder that is new. Writes nothing.
 */
export function requireKept(folder: string): void {
  requireRestored(folder)
  // The node file is created after the database. It is checked first, because a server may be creating both at this
  // moment.
  if (!existsSync(join(folder, "node"))) return
  const found = databaseIn(folder)
  if (found !== undefined && !(found.isFile() && found.size === 0)) return
  throw new DomainError(
    "conflict",
    "DATABASE_GONE",
    `${join(folder, databaseName)} is ${found ? "empty" : "missing"}, and this folder had a database. Put it back, or restore a backup into another folder and name that with --data. To begin anew here, delete mailstead.db, secret, node and mode.`,
  )
}

function databaseIn(folder: string): Stats | undefined {
  try {
    return lstatSync(join(folder, databaseName), { throwIfNoEntry: false })
  } catch (cause) {
    throw unusable(folder, cause)
  }
}
