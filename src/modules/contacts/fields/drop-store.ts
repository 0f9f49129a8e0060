import { eq, sql } from "drizzle-orm"
import type { Db } from "../../../store/database.ts"
import type { Unit } from "../../../store/writer.ts"
import { type FieldDrop, fieldDropTable } from "../table.ts"

export async function insertDrop(unit: Unit, drop: Pick<FieldDrop, "id" | "projectId" | "path" | "until">) {
  const [row] = await unit.db.insert(fieldDropTable).values(drop).returning()
  if (row === undefined) throw new Error("The deletion of a field was not stored.")
  return row
}

export async function findDrop(db: Db, id: string): Promise<FieldDrop | undefined> {
  const [row] = await db.select().from(fieldDropTable).where(eq(fieldDropTable.id, id))
  return row
}

/** The deletions that are not complete, and complete ones whose row is not deleted yet. */
export async function listDrops(db: Db, projectId?: string): Promise<FieldDrop[]> {
  return db
    .select()
    .from(fieldDropTable)
    .where(projectId === undefined ? undefined : eq(fieldDropTable.projectId, projectId))
}

/** Stores that the walk has passed `position` and changed so many more contacts; undefined when the row is gone. */
export async function advanceDrop(
  unit: Unit,
  id: string,
  position: number,
  changed: number,
): Promise<FieldDrop | undefined> {
  const [row] = await unit.db
    .update(fieldDropTable)
    .set({ position, changed: sql`${fieldDropTable.changed} + ${changed}` })
    .where(eq(fieldDropTable.id, id))
    .returning()
  return row
}

export async function deleteDrop(unit: Unit, id: string): Promise<void> {
  await unit.db.delete(fieldDropTable).where(eq(fieldDropTable.id, id))
}
