import { and, gt, inArray, type SQL } from "drizzle-orm"
import { sqliteTable } from "drizzle-orm/sqlite-core"
import type { ClockCorrection } from "./clock-correction.ts"
import { timeMs, uuid } from "./columns.ts"

/** The exclusive right of one node to work on a row. After it has expired, any node may free the row. */
export interface Lease {
  /** The node that holds it: `store.node`. */
  readonly owner: string
  readonly ms: number
}

/** The columns of a lease while no node has it. */
export const unleased = { leaseOwner: null, leaseUntil: null } as const

const model = sqliteTable("" as string, { id: uuid("id").primaryKey(), leaseUntil: timeMs("lease_until") })

/**
 * After the clock was set back: limits every lease to the end of one that begins now. It is not ended, because its work may
 * be under way.
 * @param isHeld what the rows with a lease have in common, if an index needs it
 */
export const limitLeases =
  (table: typeof model, leaseMs: () => number, isHeld?: SQL): ClockCorrection =>
  async (unit, limit) => {
    const latest = unit.now + leaseMs()
    const ahead = unit.db
      .select({ id: table.id })
      .from(table)
      .where(and(isHeld, gt(table.leaseUntil, latest)))
      .limit(limit)
    const corrected = await unit.db
      .update(table)
      .set({ leaseUntil: latest })
      .where(and(isHeld, inArray(table.id, ahead)))
      .returning({ id: table.id })
    return corrected.length
  }
