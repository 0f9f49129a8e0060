import { and, asc, count, countDistinct, desc, eq, gte, lte, sql, sum } from "drizzle-orm"
import type { Period } from "../../http/period.ts"
import type { Db } from "../../store/database.ts"
import { idParam } from "../../store/dialect.ts"
import { prepare } from "../../store/prepare.ts"
import { eventTable, eventTallyTable } from "./table.ts"

/** How often a name occurs. */
export interface NameCount {
  readonly name: string
  readonly count: number
}

const { placeholder } = sql
const { projectId: ofProject, name, count: tally } = eventTallyTable

const names = prepare((db) =>
  db
    .select({ name, count: tally })
    .from(eventTallyTable)
    .where(eq(ofProject, idParam("projectId")))
    .orderBy(desc(tally), asc(name)),
)

/** Every name with its count, the most frequent first; costs the same for any number of events. */
export const countNames = (db: Db, projectId: string): Promise<NameCount[]> => names(db, { projectId })

const total = prepare((db) =>
  db
    .select({ count: sum(tally).mapWith(Number) })
    .from(eventTallyTable)
    .where(eq(ofProject, idParam("projectId"))),
)

const ofName = prepare((db) =>
  db
    .select({ count: tally })
    .from(eventTallyTable)
    .where(and(eq(ofProject, idParam("projectId")), eq(name, placeholder("name")))),
)

/** How many events a project has, of one name or of all. */
export async function countEvents(db: Db, projectId: string, only?: string): Promise<number> {
  const [row] = await (only === undefined ? total(db, { projectId }) : ofName(db, { projectId, name: only }))
  return row?.count ?? 0
}

/** The events of a name in a period. */
const isWithin = (projectId: string, { from, to }: Period) =>
  and(
    eq(eventTable.projectId, projectId),
    eq(eventTable.name, name),
    from === undefined ? undefined : gte(eventTable.createdAt, from),
    to === undefined ? undefined : lte(eventTable.createdAt, to),
  )

/** How many events a project has in a period: reads the index of every one of them. */
export const countWithin = (db: Db, projectId: string, period: Period) =>
  db
    .select({ count: count().as("count") })
    .from(eventTallyTable)
    // From the names to their events: SQLite carries out a cross join in the order it is written in.
    .crossJoin(eventTable)
    .where(and(eq(ofProject, projectId), isWithin(projectId, period)))

/** The names of a period with their counts there, the most frequent first: reads every one of its events. */
export function countNamesWithin(db: Db, projectId: string, period: Period) {
  const found = count().as("count")
  return db
    .select({ name, count: found })
    .from(eventTallyTable)
    .innerJoin(eventTable, isWithin(projectId, period))
    .where(eq(ofProject, projectId))
    .groupBy(name)
    .orderBy(desc(sql.identifier("count")), asc(name))
}

/** How many contacts have an event of this name: reads every one of them. */
export const countContactsOf = (db: Db, projectId: string, of: string) =>
  db
    .select({ count: countDistinct(eventTable.contactId).as("count") })
    .from(eventTable)
    .where(and(eq(eventTable.projectId, projectId), eq(eventTable.name, of)))
