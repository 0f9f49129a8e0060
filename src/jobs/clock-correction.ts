import { and, eq, gt, inArray, sql } from "drizzle-orm"
import type { ClockCorrection } from "../store/clock-correction.ts"
import { limitLeases } from "../store/lease.ts"
import type { JobHandler, Recurring } from "./define.ts"
import { nextRun } from "./recurring.ts"
import { jobTable, recurringTable } from "./table.ts"

interface Known {
  readonly handlers: ReadonlyMap<string, JobHandler>
  readonly recurring: readonly Recurring[]
}

/** The corrections of jobs after the clock was set back: delays, leases, and the next times of recurring work. */
export function jobClockCorrections({ handlers, recurring }: Known): ClockCorrection[] {
  const { id, state, runAt, plannedAt } = jobTable

  /** A job whose delay began in the future runs after the same delay from now. */
  const correctWaits: ClockCorrection = async (unit, limit) => {
    const isPending = eq(state, "pending")
    const ahead = unit.db
      .select({ id })
      .from(jobTable)
      .where(and(isPending, gt(plannedAt, unit.now)))
      .limit(limit)
    const corrected = await unit.db
      .update(jobTable)
      .set({ runAt: sql`${unit.now} + ${runAt} - ${plannedAt}`, plannedAt: unit.now })
      .where(and(isPending, inArray(id, ahead)))
      .returning({ id })
    return corrected.length
  }

  const longestLease = () => Math.max(0, ...[...handlers.values()].map(({ kind }) => kind.limits.leaseMs))

  /** Plans again every entry that is due later than its schedule says from now on, all in one unit. */
  const correctRecurring: ClockCorrection = async (unit) => {
    const { name, nextAt } = recurringTable
    const planned = new Map(
      (await unit.db.select({ name, nextAt }).from(recurringTable)).map((row) => [row.name, row.nextAt]),
    )
    for (const { kind, every } of recurring) {
      const next = nextRun(every, unit.now)
      if ((planned.get(kind.name) ?? next) > next)
        await unit.db.update(recurringTable).set({ nextAt: next }).where(eq(name, kind.name))
    }
    return 0
  }

  return [correctWaits, limitLeases(jobTable, longestLease, eq(state, "running")), correctRecurring]
}
