import { and, asc, count, eq, gt, inArray, lte, max, sql } from "drizzle-orm"
import type { Db } from "../store/database.ts"
import { idParam } from "../store/dialect.ts"
import { prepare } from "../store/prepare.ts"
import type { Unit } from "../store/writer.ts"
import type { Signal } from "./signal.ts"
import { cursorTable, parkedSignalTable, signalTable } from "./table.ts"

type Cursor = typeof cursorTable.$inferSelect

const insertSignal = prepare((db) =>
  db.insert(signalTable).values({
    name: sql.placeholder("name"),
    projectId: idParam("projectId"),
    payload: sql.placeholder("payload"),
    createdAt: sql.placeholder("createdAt"),
  }),
)

export async function appendSignal(unit: Unit, name: string, projectId: string, payload: unknown): Promise<void> {
  await insertSignal(unit.db, { name, projectId, payload, createdAt: unit.now })
}

type ReadSignals = (db: Db, after: number, limit: number) => Promise<Signal[]>

/** The reader of one subscriber: signals of these names after a position in the log, in order. */
export function signalReader(names: readonly string[]): ReadSignals {
  const read = prepare((db) =>
    db
      .select()
      .from(signalTable)
      .where(and(inArray(signalTable.name, [...names]), gt(signalTable.seq, sql.placeholder("after"))))
      .orderBy(asc(signalTable.seq))
      .limit(sql.placeholder("limit")),
  )
  return (db, after, limit) => read(db, { after, limit })
}

const head = prepare((db) => db.select({ seq: max(signalTable.seq) }).from(signalTable))

export async function headOfLog(db: Db): Promise<number> {
  const [row] = await head(db, {})
  return row?.seq ?? 0
}

/** The time of the first signal of these names after a position; undefined when there is none. */
export function firstSignalReader(names: readonly string[]): (db: Db, after: number) => Promise<number | undefined> {
  const read = prepare((db) =>
    db
      .select({ createdAt: signalTable.createdAt })
      .from(signalTable)
      .where(and(inArray(signalTable.name, [...names]), gt(signalTable.seq, sql.placeholder("after"))))
      .orderBy(asc(signalTable.seq))
      .limit(1),
  )
  return async (db, after) => (await read(db, { after }))[0]?.createdAt
}

export const countParked = async (db: Db): Promise<number> => {
  const [row] = await db.select({ rows: count() }).from(parkedSignalTable)
  return row?.rows ?? 0
}

export const listCursors = (db: Db): Promise<Cursor[]> => db.select().from(cursorTable)

const cursorOf = prepare((db) =>
  db
    .select()
    .from(cursorTable)
    .where(eq(cursorTable.subscriber, sql.placeholder("subscriber"))),
)

export async function getCursor(db: Db, subscriber: string): Promise<Cursor> {
  const [row] = await cursorOf(db, { subscriber })
  return row ?? { subscriber, seq: 0, failures: 0, retryAt: 0 }
}

/** A new subscriber starts at the end of the log. */
export async function createCursor(unit: Unit, subscriber: string): Promise<void> {
  await unit.db
    .insert(cursorTable)
    .values({ subscriber, seq: await headOfLog(unit.db) })
    .onConflictDoNothing()
}

const advance = prepare((db) =>
  db
    .update(cursorTable)
    .set({ seq: sql`${sql.placeholder("seq")}`, failures: 0, retryAt: 0 })
    .where(eq(cursorTable.subscriber, sql.placeholder("subscriber"))),
)

export async function moveCursor(unit: Unit, subscriber: string, seq: number): Promise<void> {
  await advance(unit.db, { subscriber, seq })
}

export async function holdCursor(unit: Unit, subscriber: string, failures: number, retryAt: number): Promise<void> {
  await unit.db.update(cursorTable).set({ failures, retryAt }).where(eq(cursorTable.subscriber, subscriber))
}

/** Limits every hold to `longestMs` from now, for the case that the clock was set back. */
export async function correctHolds(unit: Unit, longestMs: number): Promise<void> {
  const latest = unit.now + longestMs
  await unit.db.update(cursorTable).set({ retryAt: latest }).where(gt(cursorTable.retryAt, latest))
}

export async function parkSignal(unit: Unit, subscriber: string, signal: Signal, error: string): Promise<void> {
  await unit.db
    .insert(parkedSignalTable)
    .values({ ...signal, subscriber, error, parkedAt: unit.now })
    .onConflictDoNothing()
}

/** Deletes up to `limit` signals at or before a position; resolves to their number. */
export async function deleteSignalsBehind(unit: Unit, seq: number, limit: number): Promise<number> {
  const slice = unit.db.select({ seq: signalTable.seq }).from(signalTable).where(lte(signalTable.seq, seq)).limit(limit)
  const gone = await unit.db
    .delete(signalTable)
    .where(inArray(signalTable.seq, slice))
    .returning({ seq: signalTable.seq })
  return gone.length
}

const firstAfter = prepare((db) =>
  db
    .select({ createdAt: signalTable.createdAt })
    .from(signalTable)
    .where(and(eq(signalTable.name, sql.placeholder("name")), gt(signalTable.seq, sql.placeholder("after"))))
    .orderBy(asc(signalTable.seq))
    .limit(1),
)

/** When the oldest signal of a name after a position was emitted; undefined when there is none. */
export async function timeOfNext(db: Db, name: string, after: number): Promise<number | undefined> {
  const [row] = await firstAfter(db, { name, after })
  return row?.createdAt
}
