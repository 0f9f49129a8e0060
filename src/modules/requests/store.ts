import { and, asc, count, desc, eq, gte, inArray, lt, type SQL, sql } from "drizzle-orm"
import type { Db } from "../../store/database.ts"
import { idItemOf, item, itemOf, itemsOf } from "../../store/dialect.ts"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import { projectTable } from "../projects/index.ts"
import { kindsInBatch, msInBatch, type RequestBatch } from "./buffer.ts"
import { type RequestRow, requestTable } from "./table.ts"

/**
 * Each request is a number that names its kind (buffer.ts), which is read once for all of them. A project that was deleted
 * meanwhile is left out. The join keeps the order of arrival.
 */
const insertAll = prepare((db) => {
  const { placeholder } = sql
  const { id } = projectTable
  const [kinds, durations] = [sql.raw(String(kindsInBatch)), sql.raw(String(kindsInBatch * msInBatch))]
  return db.insert(requestTable).select(sql`
    WITH kind (place, project, method, route, status, credentials) AS MATERIALIZED (
      SELECT ${itemOf(0)}, (SELECT ${id} FROM ${projectTable} WHERE ${id} = ${idItemOf(1)}),
        ${itemOf(2)}, ${itemOf(3)}, ${itemOf(4)}, ${itemOf(5)}
      FROM ${itemsOf(placeholder("kinds"))}
    ), entry (number) AS (SELECT ${item} FROM ${itemsOf(placeholder("requests"))})
    SELECT NULL, project, ${placeholder("since")} + number / ${kinds} % ${sql.raw(String(msInBatch))}, method, route,
      status, number / ${durations}, credentials
    FROM entry CROSS JOIN kind WHERE place = number % ${kinds}`)
})

export async function insertRequests(unit: Unit, { since, kinds, requests }: RequestBatch): Promise<void> {
  await insertAll(unit.db, { since, kinds: JSON.stringify(kinds), requests: JSON.stringify(requests) })
}

export interface RequestFilter {
  /** Null for those of the whole instance. */
  readonly projectId: string | null
  /** Whether they were answered with 400 or more; undefined for all. */
  readonly failed?: boolean | undefined
}

const firstFailure = 400

function isIn({ projectId, failed }: RequestFilter): SQL | undefined {
  const isOfProject = projectId === null ? undefined : eq(requestTable.projectId, projectId)
  if (failed === undefined) return isOfProject
  const { status } = requestTable
  return and(isOfProject, failed ? gte(status, firstFailure) : lt(status, firstFailure))
}

/** `limit` rows before the given one, newest first. */
export const listRequests = (
  db: Db,
  filter: RequestFilter,
  before: number | undefined,
  limit: number,
): Promise<RequestRow[]> =>
  db
    .select()
    .from(requestTable)
    .where(and(isIn(filter), before === undefined ? undefined : lt(requestTable.id, before)))
    .orderBy(desc(requestTable.id))
    .limit(limit)

/** The number of rows, of which at most `most` are counted. */
export async function countRequests(db: Db, filter: RequestFilter, most: number): Promise<number> {
  const some = db.select({ id: requestTable.id }).from(requestTable).where(isIn(filter)).limit(most).as("some")
  const [row] = await db.select({ rows: count() }).from(some)
  return row?.rows ?? 0
}

/** Deletes those of the oldest `limit` rows that are from before a time; resolves to their number. */
export async function deleteOldRequests(unit: Unit, before: number, limit: number): Promise<number> {
  const { id, at } = requestTable
  const oldest = unit.db.select({ id, at }).from(requestTable).orderBy(asc(id)).limit(limit).as("oldest")
  const due = unit.db.select({ id: oldest.id }).from(oldest).where(lt(oldest.at, before))
  return (await unit.db.delete(requestTable).where(inArray(id, due)).returning({ id })).length
}

export async function eraseRequests(unit: Unit, projectId: string): Promise<void> {
  await unit.db.delete(requestTable).where(eq(requestTable.projectId, projectId))
}
