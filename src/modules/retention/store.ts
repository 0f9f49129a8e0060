import { desc, gte, lt, sql } from "drizzle-orm"
import { day as dayMs, iso } from "../../kernel/clock.ts"
import type { Db } from "../../store/database.ts"
import type { Unit } from "../../store/writer.ts"
import { type Freed, freedTable } from "./table.ts"

const keptDays = 365

export const dayOf = (at: number): string => iso(at).slice(0, 10)

/** Adds to the figures of today. */
export async function addFreed(unit: Unit, name: string, rows: number, bytes = 0): Promise<void> {
  const more = { rows: sql`${freedTable.rows} + excluded.rows`, bytes: sql`${freedTable.bytes} + excluded.bytes` }
  await unit.db
    .insert(freedTable)
    .values({ day: dayOf(unit.now), name, rows, bytes })
    .onConflictDoUpdate({ target: [freedTable.day, freedTable.name], set: more })
}

export async function deleteOldFreed(unit: Unit): Promise<void> {
  await unit.db.delete(freedTable).where(lt(freedTable.day, dayOf(unit.now - keptDays * dayMs)))
}

/** The figures since a day, the last day first. */
export const listFreed = (db: Db, since: string): Promise<Freed[]> =>
  db.select().from(freedTable).where(gte(freedTable.day, since)).orderBy(desc(freedTable.day), freedTable.name)
