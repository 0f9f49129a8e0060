import { and, eq, gt, inArray, sql } from "drizzle-orm"
import type { ClockCorrection } from "../../../store/clock-correction.ts"
import { limitLeases } from "../../../store/lease.ts"
import { callTable, executionTable, stepExecutionTable } from "../table.ts"
import { leaseMs } from "./calls.ts"
import { isPlanned } from "./store.ts"

/** A rest that began in the future lasts as long from now on: it began at the `updatedAt` of its execution. */
const correctRests: ClockCorrection = async (unit, limit) => {
  const { id, dueAt, updatedAt } = executionTable
  const ahead = unit.db
    .select({ id })
    .from(executionTable)
    .where(and(isPlanned, gt(dueAt, unit.now), gt(updatedAt, unit.now)))
    .limit(limit)
  const corrected = await unit.db
    .update(executionTable)
    .set({ dueAt: sql`${unit.now} + ${dueAt} - ${updatedAt}`, updatedAt: unit.now })
    .where(and(isPlanned, inArray(id, ahead)))
    .returning({ id, dueAt })
  // A delay that is changed counts from the start of its step.
  const startedAt = sql`min(${stepExecutionTable.startedAt}, ${unit.now})`
  for (const { id: executionId, dueAt: scheduledFor } of corrected)
    await unit.db
      .update(stepExecutionTable)
      .set({ scheduledFor, startedAt })
      .where(and(eq(stepExecutionTable.executionId, executionId), sql`completed_at IS NULL`))
  return corrected.length
}

/**
 * Requests that are due later than the longest pause between two attempts allows are due at once. One that waits longer for
 * the allowance of slow templates (contract A3.6) is looked at too early then, and waits again.
 */
const correctCalls =
  (pausesMs: readonly number[]): ClockCorrection =>
  async (unit, limit) => {
    const latest = unit.now + Math.max(0, ...pausesMs)
    const ahead = unit.db.select({ id: callTable.id }).from(callTable).where(gt(callTable.dueAt, latest)).limit(limit)
    const corrected = await unit.db
      .update(callTable)
      .set({ dueAt: unit.now })
      .where(inArray(callTable.id, ahead))
      .returning({ id: callTable.id })
    return corrected.length
  }

/** The corrections of executions after the clock was set back. `pausesMs` are those between the attempts of a request. */
export const executionClockCorrections = (pausesMs: readonly number[]): readonly ClockCorrection[] => [
  correctRests,
  correctCalls(pausesMs),
  limitLeases(callTable, () => leaseMs),
]
