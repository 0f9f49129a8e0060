import { and, asc, type Column, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm"
import type { Db } from "../../../store/database.ts"
import { holdsText, idParam, isFlag, isOneOf, isUnindexed } from "../../../store/dialect.ts"
import { prepare } from "../../../store/prepare.ts"
import { type ContactSummary, summaryColumns } from "../store.ts"
import { type Contact, contactTable } from "../table.ts"
import { comparePositions, directions, type Order, type Position, positionOf, sortKeys } from "./order.ts"

/** Which contacts a list contains. */
export interface ContactFilter {
  /** Part of the address, in lower case. */
  readonly search?: string | undefined
  /** Part of the address or of a value of a custom field; `search` then does not count. */
  readonly find?: string | undefined
  readonly subscribed?: boolean | undefined
}

/** The part of a list after one position, up to and including another. */
export interface Range {
  readonly after: Position
  readonly until: Position
}

const { placeholder } = sql
const { seq: _, ...columns } = getTableColumns(contactTable)

/** The properties that determine the text of a query: one prepared statement for each combination. */
interface Shape extends Order {
  readonly subscribed: boolean | undefined
  readonly searched: boolean
}

const states = [undefined, true, false] as const
const shapes: readonly Shape[] = sortKeys.flatMap((sort) =>
  directions.flatMap((dir) =>
    states.flatMap((subscribed) => [false, true].map((searched) => ({ sort, dir, subscribed, searched }))),
  ),
)
const nameOf = ({ sort, dir, subscribed, searched }: Shape): string => [sort, dir, subscribed, searched].join()

/** One prepared query for each shape. */
function forEachShape<P extends Record<string, unknown>, R>(of: (shape: Shape) => (db: Db, values: P) => Promise<R>) {
  const queries = new Map(shapes.map((shape) => [nameOf(shape), of(shape)]))
  return (shape: Shape, db: Db, values: P): Promise<R> => {
    const query = queries.get(nameOf(shape))
    if (query === undefined) throw new Error(`There is no list of the shape ${nameOf(shape)}.`)
    return query(db, values)
  }
}

const keys = { createdAt: [contactTable.createdAt, contactTable.id], email: [contactTable.email] } as const
const rowValue = (parts: readonly (Column | SQL)[]): SQL => sql`(${sql.join([...parts], sql`, `)})`

/** Whether a contact is in the range. An address is unique in its project, so it needs no id beside it. */
function within({ sort, dir }: Order): SQL {
  const position = rowValue(keys[sort])
  const [after, until] = ["after", "until"].map((name) =>
    rowValue([sql`${placeholder(`${name}Key`)}`, ...(sort === "email" ? [] : [idParam(`${name}Id`)])]),
  )
  return dir === "asc"
    ? sql`${position} > ${after} and ${position} <= ${until}`
    : sql`${position} < ${after} and ${position} >= ${until}`
}

const parametersOf = ({ after, until }: Range) => ({
  afterKey: after.key,
  afterId: after.id,
  untilKey: until.key,
  untilId: until.id,
})

const sorted = ({ sort, dir }: Order): SQL[] =>
  keys[sort].map((key) => (dir === "asc" ? asc : desc)(sql.identifier(key.name)))

const matching = (shape: Shape, subscribed: boolean | undefined): SQL | undefined =>
  and(
    eq(contactTable.projectId, idParam("projectId")),
    subscribed === undefined ? undefined : isFlag(contactTable.subscribed, subscribed),
    within(shape),
    shape.searched ? holdsText(contactTable.email, placeholder("search")) : undefined,
  )

/**
 * The index by time begins with the state, so that few contacts of one state are found among many of the other. A list of
 * both states merges the two halves of the index, and reads neither further than the merge needs.
 */
const isMerged = ({ sort, subscribed }: Shape): boolean => sort === "createdAt" && subscribed === undefined

const pages = forEachShape((shape) =>
  prepare((db) => {
    const part = (subscribed: boolean | undefined) =>
      db.select(columns).from(contactTable).where(matching(shape, subscribed))
    const list = isMerged(shape) ? part(true).unionAll(part(false)) : part(shape.subscribed)
    return list.orderBy(...sorted(shape)).limit(placeholder("limit"))
  }),
)

/** The first contacts of a range. */
export function listRange(
  db: Db,
  projectId: string,
  order: Order,
  { search, subscribed }: ContactFilter,
  range: Range,
  limit: number,
): Promise<Contact[]> {
  const shape = { ...order, subscribed, searched: search !== undefined }
  return pages(shape, db, { projectId, search, limit, ...parametersOf(range) })
}

const positions = forEachShape((shape) =>
  prepare((db) => {
    const { id, email, createdAt } = contactTable
    const part = (subscribed: boolean | undefined) =>
      db.select({ id, email, createdAt }).from(contactTable).where(matching(shape, subscribed))
    const list = isMerged(shape) ? part(true).unionAll(part(false)) : part(shape.subscribed)
    return list
      .orderBy(...sorted(shape))
      .limit(1)
      .offset(placeholder("skipped"))
  }),
)

/** The position `distance` contacts after the start of the range; undefined when the range has fewer. */
export async function positionAfter(
  db: Db,
  projectId: string,
  order: Order,
  subscribed: boolean | undefined,
  range: Range,
  distance: number,
): Promise<Position | undefined> {
  const shape = { ...order, subscribed, searched: false }
  const [found] = await positions(shape, db, { projectId, skipped: distance - 1, ...parametersOf(range) })
  return found && { key: found[order.sort], id: found.id }
}

const bySeq = prepare((db) =>
  db
    .select({ ...columns, seq: contactTable.seq })
    .from(contactTable)
    .where(
      and(isOneOf(contactTable.seq, placeholder("seqs")), isUnindexed(contactTable.projectId, idParam("projectId"))),
    )
    .orderBy(asc(contactTable.seq)),
)

/** The contacts with these `seq` that still exist, in rising order. */
export const listBySeq = (db: Db, projectId: string, seqs: readonly number[]) =>
  bySeq(db, { projectId, seqs: JSON.stringify(seqs) })

/** The contacts with these `seq` that still exist, in the order of a list. */
export async function listInOrder(
  db: Db,
  projectId: string,
  order: Order,
  places: readonly Pick<ContactSummary, "seq">[],
): Promise<Contact[]> {
  const compare = comparePositions(order)
  const rows = await listBySeq(
    db,
    projectId,
    places.map(({ seq }) => seq),
  )
  return rows.sort((one, other) => compare(positionOf(order, one), positionOf(order, other)))
}

const subscribed = prepare((db) =>
  db
    .select(summaryColumns)
    .from(contactTable)
    .where(and(eq(contactTable.projectId, idParam("projectId")), isFlag(contactTable.subscribed, true))),
)

/** All subscribed contacts of a project, unordered: for projects that have few. */
export const listSubscribed = (db: Db, projectId: string): Promise<ContactSummary[]> => subscribed(db, { projectId })
