import { and, asc, desc, eq, inArray, sql } from "drizzle-orm"
import type { Db } from "../../store/database.ts"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import type { Place } from "./store.ts"
import { eventTable } from "./table.ts"

const hole = sql.placeholder
const { projectId: ofProject, name, createdAt, id } = eventTable

const isNamed = and(eq(ofProject, hole("projectId")), eq(name, hole("name")))

const latest = prepare((db) =>
  db.select({ createdAt, id }).from(eventTable).where(isNamed).orderBy(desc(createdAt), desc(id)).limit(1),
)

/** The latest event of a name, or undefined when there is none. */
export async function findLatest(db: Db, projectId: string, name: string): Promise<Place | undefined> {
  const [row] = await latest(db, { projectId, name })
  return row
}

const removeSome = prepare((db) => {
  const oldest = db
    .select({ id })
    .from(eventTable)
    .where(and(isNamed, sql`(${createdAt}, ${id}) <= (${hole("createdAt")}, ${hole("id")})`))
    .orderBy(asc(createdAt))
    .limit(hole("limit"))
  return db
    .delete(eventTable)
    .where(and(eq(ofProject, hole("projectId")), inArray(id, oldest)))
    .returning({ id })
})

/** Deletes the oldest events of a name up to a place, at most so many; resolves to how many went. */
export async function deleteSome(
  unit: Unit,
  projectId: string,
  name: string,
  { createdAt, id }: Place,
  limit: number,
): Promise<number> {
  return (await removeSome(unit.db, { projectId, name, createdAt, id, limit })).length
}
