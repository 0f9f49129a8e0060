import { inArray, lt, sql } from "drizzle-orm"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import { reportTable } from "./table.ts"

const insert = prepare((db) =>
  db
    .insert(reportTable)
    .values({ key: sql.placeholder("key"), receivedAt: sql.placeholder("receivedAt") })
    .onConflictDoNothing()
    .returning({ key: reportTable.key }),
)

/** False when a report with this key has been saved before. */
export async function saveReceived(unit: Unit, key: string): Promise<boolean> {
  return (await insert(unit.db, { key, receivedAt: unit.now })).length > 0
}

/** Forgets at most `limit` reports that were received before this time; resolves to how many. */
export async function deleteOldReports(unit: Unit, before: number, limit: number): Promise<number> {
  const { key, receivedAt } = reportTable
  const old = unit.db.select({ key }).from(reportTable).where(lt(receivedAt, before)).limit(limit)
  return (await unit.db.delete(reportTable).where(inArray(key, old)).returning({ key })).length
}
