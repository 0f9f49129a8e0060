import { and, asc, desc, eq, gt, inArray, lt, sql } from "drizzle-orm"
import type { Db } from "../../store/database.ts"
import { rowNumber } from "../../store/dialect.ts"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import { type Backup, backupTable } from "./table.ts"

export const insertBackup = async (unit: Unit, row: Backup): Promise<void> => {
  await unit.db.insert(backupTable).values(row)
}

type Ending = Pick<Backup, "bytes" | "reason"> & { readonly state: "DONE" | "FAILED" }

/** False when it is no longer running. */
export async function endBackup(unit: Unit, id: string, ending: Ending): Promise<boolean> {
  const ended = await unit.db
    .update(backupTable)
    .set({ ...ending, endedAt: unit.now })
    .where(and(eq(backupTable.id, id), eq(backupTable.state, "RUNNING")))
    .returning({ id: backupTable.id })
  return ended.length > 0
}

/** The order in which they were taken; their times are out of order after the clock was set back. */
const newestFirst = desc(rowNumber)

const newest = prepare((db) => db.select().from(backupTable).orderBy(newestFirst).limit(sql.placeholder("limit")))

/** The newest first. */
export const listBackups = (db: Db, limit: number): Promise<Backup[]> => newest(db, { limit })

export async function findBackup(db: Db, id: string): Promise<Backup | undefined> {
  const [row] = await db.select().from(backupTable).where(eq(backupTable.id, id))
  return row
}

export const listRunning = (db: Db): Promise<Backup[]> =>
  db.select().from(backupTable).where(eq(backupTable.state, "RUNNING"))

/**
 * Finished backups beyond the newest `keep`, and failures older than all of those, in the order of their ids after the
 * given one.
 */
export async function listSurplus(db: Db, keep: number, after: string, limit: number): Promise<Backup[]> {
  const kept = await db
    .select({ number: rowNumber })
    .from(backupTable)
    .where(eq(backupTable.state, "DONE"))
    .orderBy(newestFirst)
    .limit(keep)
  const oldest = kept.at(-1)
  if (oldest === undefined || kept.length < keep) return []
  const isOlder = lt(rowNumber, oldest.number)
  return db
    .select()
    .from(backupTable)
    .where(and(isOlder, inArray(backupTable.state, ["DONE", "FAILED"]), gt(backupTable.id, after)))
    .orderBy(asc(backupTable.id))
    .limit(limit)
}

export const deleteBackups = async (unit: Unit, ids: readonly string[]): Promise<void> => {
  await unit.db.delete(backupTable).where(inArray(backupTable.id, [...ids]))
}
