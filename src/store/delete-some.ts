import { eq, inArray } from "drizzle-orm"
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core"
import type { Unit } from "./writer.ts"

type TableOfProjects = SQLiteTable & { readonly id: AnySQLiteColumn; readonly projectId: AnySQLiteColumn }

/** Deletes up to `limit` rows of a project, in no order; resolves to their number. */
export async function deleteSome(
  unit: Unit,
  table: TableOfProjects,
  projectId: string,
  limit: number,
): Promise<number> {
  const { id } = table
  const some = unit.db.select({ id }).from(table).where(eq(table.projectId, projectId)).limit(limit)
  return (await unit.db.delete(table).where(inArray(id, some)).returning({ id })).length
}
