import { eq, inArray } from "drizzle-orm"
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core"
import { rowNumber } from "./dialect.ts"
import type { Unit } from "./writer.ts"

type ProjectTable = SQLiteTable & { readonly projectId: AnySQLiteColumn }

/** Deletes up to `limit` rows of a project, in no order; resolves to their number. */
export async function deleteSome({ db }: Unit, table: ProjectTable, projectId: string, limit: number): Promise<number> {
  const some = db.select({ row: rowNumber }).from(table).where(eq(table.projectId, projectId)).limit(limit)
  return (await db.delete(table).where(inArray(rowNumber, some)).returning({ row: rowNumber })).length
}

type ContactTable = SQLiteTable & { readonly contactId: AnySQLiteColumn }

/**
 * Deletes `limit` rows of these contacts, in no order, if together they have more than that; resolves to the number
 * deleted.
 */
export async function deleteSurplus(
  { db }: Unit,
  table: ContactTable,
  contactIds: readonly string[],
  limit: number,
): Promise<number> {
  const found = await db
    .select({ row: rowNumber })
    .from(table)
    .where(inArray(table.contactId, [...contactIds]))
    .limit(limit + 1)
  if (found.length <= limit) return 0
  const some = found.slice(0, limit).map(({ row }) => row)
  await db.delete(table).where(inArray(rowNumber, some))
  return limit
}
