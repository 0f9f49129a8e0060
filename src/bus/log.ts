import { and, asc, eq, gt, inArray, lte, max, sql } from "drizzle-orm"
import type { Db } from "../store/database.ts"
import { prepare } from "../store/prepare.ts"
import type { Unit } from "../store/writer.ts"
import type { Signal } from "./signal.ts"
import { cursorTable, parkedSignalTable, signalTable } from "./table.ts"

export type Cursor = typeof cursorTable.$inferSelect

const insertSignal = prepare((db) =>
  db.insert(signalTable).values({
    name: sql.placeholder("name"),
    projectId: sql.placeholder("projectId"),
    payload: sql.placeholder("payload"),
    createdAt: sql.placeholder("createdAt"),
  }),
)

export async function appendSignal(unit: Unit, name: string, projectId: string, payload: unknown): Promise<void> {
  await insertSignal(unit.db, { name, projectId, payload, createdAt: unit.now })
}

export const listSignals = (db: Db, names: readonly string[], after: number, limit: number): Promise<Signal[]> =>
  db
    .select()
    .from(signalTable)
    .where(and(inArray(signalTable.name, [...names]), gt(signalTable.seq, after)))
    .orderBy(asc(signalTable.seq))
    .limit(limit)

export async function headOfLog(db: Db): Promise<number> {
  const [row] = await db.select({ seq: max(signalTable.seq) }).from(signalTable)
  return row?.seq ?? 0
}

export const listCursors = (db: Db): Promise<Cursor[]> => db.select().from(cursorTable)

export async function getCursor(db: Db, subscriber: string): Promise<Cursor> {
  const [row] = await db.select().from(cursorTable).where(eq(cursorTable.subscriber, subscriber))
  return row ?? { subscriber, seq: 0, failures: 0, retryAt: 0 }
}

/** A new subscriber begins with the news of tomorrow. */
export async function createCursor(unit: Unit, subscriber: string): Promise<void> {
  await unit.db
    .insert(cursorTable)
    .values({ subscriber, seq: await headOfLog(unit.db) })
    .onConflictDoNothing()
}

export async function moveCursor(unit: Unit, subscriber: string, seq: number): Promise<void> {
  await unit.db.update(cursorTable).set({ seq, failures: 0, retryAt: 0 }).where(eq(cursorTable.subscriber, subscriber))
}

export async function holdCursor(unit: Unit, subscriber: string, failures: number, retryAt: number): Promise<void> {
  await unit.db.update(cursorTable).set({ failures, retryAt }).where(eq(cursorTable.subscriber, subscriber))
}

export async function parkSignal(unit: Unit, subscriber: string, signal: Signal, error: string): Promise<void> {
  await unit.db
    .insert(parkedSignalTable)
    .values({ ...signal, subscriber, error, parkedAt: unit.now })
    .onConflictDoNothing()
}

/** Deletes a bounded slice; resolves to how many went. */
export async function dropSignalsBehind(unit: Unit, seq: number): Promise<number> {
  const slice = unit.db.select({ seq: signalTable.seq }).from(signalTable).where(lte(signalTable.seq, seq)).limit(1_000)
  const gone = await unit.db
    .delete(signalTable)
    .where(inArray(signalTable.seq, slice))
    .returning({ seq: signalTable.seq })
  return gone.length
}
