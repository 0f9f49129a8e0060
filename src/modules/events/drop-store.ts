import { and, asc, desc, eq, inArray, sql } from "drizzle-orm"
import type { Db } from "../../store/database.ts"
import { idParam } from "../../store/dialect.ts"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import type { EventPosition } from "./store.ts"
import { eventTable } from "./table.ts"

const { placeholder } = sql
const { projectId: ofProject, name, createdAt, id } = eventTable

const isNamed = and(eq(ofProject, idParam("projectId")), eq(name, placeholder("name")))

const latest = prepare((db) =>
  db.select({ createdAt, id }).from(eventTable).where(isNamed).orderBy(desc(createdAt), desc(id)).limit(1),
)

/** The latest event of a name, or undefined when there is none. */
export async function findLatest(db: Db, projectId: string, name: string): Promise<EventPosition | undefined> {
  const [row] = await latest(db, { projectId, name })
  return row
}

const removeSome = prepare((db) => {
  const oldest = db
    .select({ id })
    .from(eventTable)
    .where(and(isNamed, sql`(${createdAt}, ${id}) <= (${placeholder("createdAt")}, ${idParam("id")})`))
    .orderBy(asc(createdAt))
    .limit(placeholder("limit"))
  return db
    .delete(eventTable)
    .where(and(eq(ofProject, idParam("projectId")), inArray(id, oldest)))
    .returning({ id })
})

/** Deletes the oldest events of a name up to a position, at most `limit`; resolves to how many were deleted. */
export async function deleteSome(
  unit: Unit,
  projectId: string,
  name: string,
  { createdAt, id }: EventPosition,
  limit: number,
): Promise<number> {
  return (await removeSome(unit.db, { projectId, name, createdAt, id, limit })).length
}
