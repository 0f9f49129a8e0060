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
