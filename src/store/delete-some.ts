import { and, eq, inArray } from "drizzle-orm"
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core"
import type { Unit } from "./writer.ts"

type ProjectTable = SQLiteTable & { readonly projectId: AnySQLiteColumn }

/** Deletes up to `limit` rows of a project, in no order, by the column that tells them apart; resolves to their number. */
export async function deleteSome(
  { db }: Unit,
  table: ProjectTable,
  id: AnySQLiteColumn,
  [projectId, limit]: readonly [string, number],
): Promise<number> {
  const isOwn = eq(table.projectId, projectId)
  const some = db.select({ id }).from(table).where(isOwn).limit(limit)
  return (
    await db
      .delete(table)
      .where(and(isOwn, inArray(id, some)))
      .returning({ id })
  ).length
}
