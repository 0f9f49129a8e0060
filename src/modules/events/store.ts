import {
  aliasedTable,
  and,
  asc,
  count,
  countDistinct,
  desc,
  eq,
  gt,
  gte,
  isNotNull,
  lt,
  lte,
  type SQL,
  sql,
} from "drizzle-orm"
import type { Period } from "../../http/period.ts"
import { maxId } from "../../kernel/ids.ts"
import type { Db } from "../../store/database.ts"
import { idParam, idValue, isOneOf, isUnindexed, memberKey, membersOf } from "../../store/dialect.ts"
import { prepare } from "../../store/prepare.ts"
import { contactTable } from "../contacts/index.ts"
import { type Event, wholeEvent } from "./stored-data.ts"
import { eventTable, eventTallyTable, type StoredEvent } from "./table.ts"

const { placeholder } = sql

/** The events of a query that reads the table twice. */
const recentEvents = aliasedTable(eventTable, "recent")

/** An event with the address of its contact. */
export interface Recorded {
  readonly event: Event
  /** Null for an event without contact. */
  readonly email: string | null
}

/** The position of an event in a list, newest first. */
export interface EventPosition {
  readonly createdAt: number
  readonly id: string
}

/** The position before every event. */
export const newest: EventPosition = { createdAt: Number.MAX_SAFE_INTEGER, id: maxId }

const columns = { event: eventTable, email: contactTable.email }
type Row = { readonly event: StoredEvent; readonly email: string | null }
const whole = ({ event, email }: Row): Recorded => ({ event: wholeEvent(event), email })

const recorded = (db: Db) =>
  db.select(columns).from(eventTable).leftJoin(contactTable, eq(contactTable.id, eventTable.contactId))

const byId = prepare((db) =>
  recorded(db).where(and(eq(eventTable.projectId, idParam("projectId")), eq(eventTable.id, idParam("id")))),
)

export async function findEvent(db: Db, projectId: string, id: string): Promise<Recorded | undefined> {
  const [row] = await byId(db, { projectId, id })
  return row && whole(row)
}

const between = prepare((db) =>
  recorded(db)
    .where(
      and(
        eq(eventTable.contactId, idParam("contactId")),
        eq(eventTable.name, placeholder("name")),
        gte(eventTable.createdAt, placeholder("since")),
        gt(eventTable.id, idParam("after")),
        lt(eventTable.id, idParam("before")),
      ),
    )
    .orderBy(asc(eventTable.createdAt), asc(eventTable.id))
    .limit(placeholder("limit")),
)

/** The first events of a contact with a name that were stored since a time, with ids between two others. */
export async function listEventsBetween(
  db: Db,
  range: { contactId: string; name: string; since: number; after: string; before: string; limit: number },
): Promise<Event[]> {
  return (await between(db, { ...range })).map((row) => whole(row).event)
}

// Lists, newest first: ids increase with time, so the list of all events of a project is sorted by id.

const all = prepare((db) =>
  recorded(db)
    .where(and(eq(eventTable.projectId, idParam("projectId")), lt(eventTable.id, idParam("id"))))
    .orderBy(desc(eventTable.id))
    .limit(placeholder("limit")),
)

/** The events after a position. */
export const listEvents = async (
  db: Db,
  projectId: string,
  { id }: EventPosition,
  limit: number,
): Promise<Recorded[]> => (await all(db, { projectId, id, limit })).map(whole)

/** Events that come after a position in a list by time. */
const isAfter = (createdAt: unknown, id: string | SQL): SQL =>
  sql`(${eventTable.createdAt}, ${eventTable.id}) < (${createdAt}, ${idValue(id)})`

const named = prepare((db) =>
  recorded(db)
    .where(
      and(
        eq(eventTable.projectId, idParam("projectId")),
        eq(eventTable.name, placeholder("name")),
        isAfter(placeholder("createdAt"), idParam("id")),
      ),
    )
    .orderBy(desc(eventTable.createdAt), desc(eventTable.id))
    .limit(placeholder("limit")),
)

/** The events of one name after a position. */
export const listNamed = async (
  db: Db,
  projectId: string,
  name: string,
  { createdAt, id }: EventPosition,
  limit: number,
): Promise<Recorded[]> => (await named(db, { projectId, name, createdAt, id, limit })).map(whole)

/** Events that an index groups by name. */
interface ByName {
  /** A query of their names, in a column `name`. */
  readonly names: SQL
  /** The condition for all of them. */
  readonly isOne: SQL | undefined
}

/** The positions of events after one: goes from name to name and takes from each no more than fit on the page. */
function positionsByName(
  db: Db,
  projectId: string,
  { names, isOne }: ByName,
  { createdAt, id }: EventPosition,
  limit: number,
) {
  const firstOfName = sql`(SELECT ${eventTable.id} FROM ${eventTable}
    WHERE ${isOne} AND ${eventTable.name} = heard.name AND ${isAfter(createdAt, id)}
    ORDER BY ${desc(eventTable.createdAt)}, ${desc(eventTable.id)} LIMIT ${limit})`
  return (
    db
      .select({ id: recentEvents.id, createdAt: recentEvents.createdAt })
      .from(sql`(${names}) AS heard`)
      // From the names to their events: SQLite carries out a cross join in the order it is written in.
      .crossJoin(recentEvents)
      .where(and(eq(recentEvents.projectId, projectId), sql`${recentEvents.id} IN ${firstOfName}`))
      .orderBy(desc(recentEvents.createdAt), desc(recentEvents.id))
      .limit(limit)
  )
}

/** The positions of a contact's events after one. */
export function positionsOfContact(db: Db, projectId: string, contactId: string, after: EventPosition, limit: number) {
  const { name } = eventTable
  const isOne = eq(eventTable.contactId, contactId)
  const names = sql`WITH RECURSIVE step (name) AS (
    SELECT min(${name}) FROM ${eventTable} WHERE ${isOne}
    UNION ALL
    SELECT (SELECT min(${name}) FROM ${eventTable} WHERE ${isOne} AND ${name} > step.name)
    FROM step WHERE step.name IS NOT NULL
  ) SELECT name FROM step WHERE name IS NOT NULL`
  return positionsByName(db, projectId, { names, isOne }, after, limit)
}

/** The positions of a project's events in a period, after one. */
export function positionsWithin(db: Db, projectId: string, period: Period, after: EventPosition, limit: number) {
  const { projectId: owner, name } = eventTallyTable
  const names = sql`SELECT ${name} AS name FROM ${eventTallyTable} WHERE ${eq(owner, projectId)}`
  return positionsByName(db, projectId, { names, isOne: matching(projectId, { period }) }, after, limit)
}

const byIds = prepare((db) =>
  recorded(db).where(and(eq(eventTable.projectId, idParam("projectId")), isOneOf(eventTable.id, placeholder("ids")))),
)

/** Which events are listed (contract B4.2.3); absent fields do not filter. */
export interface EventFilter {
  readonly name?: string | undefined
  readonly contactId?: string | undefined
  readonly period?: Period
}

/** Events of a contact are found by the contact: by their project, all of its events would be read. */
const matching = (projectId: string, { name, contactId, period }: EventFilter): SQL | undefined =>
  and(
    contactId === undefined
      ? eq(eventTable.projectId, projectId)
      : and(eq(eventTable.contactId, contactId), isUnindexed(eventTable.projectId, projectId)),
    name === undefined ? undefined : eq(eventTable.name, name),
    period?.from === undefined ? undefined : gte(eventTable.createdAt, period.from),
    period?.to === undefined ? undefined : lte(eventTable.createdAt, period.to),
  )

/** The positions of matching events after one, by name or by contact: may read every event of the contact. */
export const positionsMatching = (
  db: Db,
  projectId: string,
  filter: EventFilter,
  after: EventPosition,
  limit: number,
) =>
  db
    .select({ id: eventTable.id, createdAt: eventTable.createdAt })
    .from(eventTable)
    .where(and(matching(projectId, filter), isAfter(after.createdAt, after.id)))
    .orderBy(desc(eventTable.createdAt), desc(eventTable.id))
    .limit(limit)

export const countMatching = (db: Db, projectId: string, filter: EventFilter) =>
  db
    .select({ count: count().as("count") })
    .from(eventTable)
    .where(matching(projectId, filter))

/** Events by their ids, newest first. */
export async function listByIds(db: Db, projectId: string, ids: readonly string[]): Promise<Recorded[]> {
  const rows = await byIds(db, { projectId, ids: JSON.stringify(ids) })
  return rows.map(whole).sort((one, other) => comparePositions(other.event, one.event))
}

const comparePositions = (one: EventPosition, other: EventPosition): number =>
  one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1)

/** How many events a contact has, up to `most`. */
export function countOfContact(db: Db, contactId: string, most: number) {
  const theirs = db
    .select({ one: sql`1`.as("one") })
    .from(eventTable)
    .where(eq(eventTable.contactId, contactId))
  return db.select({ count: count().as("count") }).from(theirs.limit(most).as("theirs"))
}

const contactById = prepare((db) =>
  db
    .select({ id: contactTable.id })
    .from(contactTable)
    .where(and(eq(contactTable.projectId, idParam("projectId")), eq(contactTable.id, idParam("id")))),
)

export const hasContact = async (db: Db, projectId: string, id: string): Promise<boolean> =>
  (await contactById(db, { projectId, id })).length > 0

/** The top-level keys in the stored data of the newest events, of one name or of all, each with the events that have it. */
export function storedKeys(db: Db, projectId: string, name: string | undefined, events: number) {
  const { createdAt, storedData, id } = eventTable
  const order = name === undefined ? [desc(id)] : [desc(createdAt), desc(id)]
  const newestOnes = db
    .select({ storedData, name: eventTable.name })
    .from(eventTable)
    .where(matching(projectId, { name }))
    .orderBy(...order)
    .limit(events)
    .as("newest")
  return db
    .selectDistinct({ name: newestOnes.name, key: memberKey.as("key") })
    .from(newestOnes)
    .crossJoin(membersOf(newestOnes.storedData))
}

/** How many events of a name are about contacts, and about how many, since a time: reads every one of them. */
export const countSince = (db: Db, projectId: string, name: string, since: number) =>
  db
    .select({ events: count().as("events"), contacts: countDistinct(eventTable.contactId).as("contacts") })
    .from(eventTable)
    .where(and(matching(projectId, { name, period: { from: since, to: undefined } }), isNotNull(eventTable.contactId)))
