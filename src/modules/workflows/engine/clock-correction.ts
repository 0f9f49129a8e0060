import { and, eq, gt, inArray, sql } from "drizzle-orm"
import type { ClockCorrection } from "../../../store/clock-correction.ts"
import { unleased } from "../../../store/lease.ts"
import { callTable, executionTable, stepExecutionTable } from "../table.ts"

/** A rest that began in the future lasts as long from now on: it began at the `updatedAt` of its execution. */
const correctRests: ClockCorrection = async (unit, limit) => {
  const { id, dueAt, updatedAt } = executionTable
  const isDue = sql`${dueAt} IS NOT NULL`
  const ahead = unit.db
    .select({ id })
    .from(executionTable)
    .where(and(isDue, gt(dueAt, unit.now), gt(updatedAt, unit.now)))
    .limit(limit)
  const corrected = await unit.db
    .update(executionTable)
    .set({ dueAt: sql`${unit.now} + ${dueAt} - ${updatedAt}`, updatedAt: unit.now })
    .where(and(isDue, inArray(id, ahead)))
    .returning({ id, dueAt })
  for (const { id: executionId, dueAt: scheduledFor } of corrected)
    await unit.db
      .update(stepExecutionTable)
      .set({ scheduledFor })
      .where(and(eq(stepExecutionTable.executionId, executionId), sql`completed_at IS NULL`))
  return corrected.length
}

/** Requests that wait for their next attempt, which comes after two minutes at most, are due at once. */
const correctCalls: ClockCorrection = async (unit, limit) => {
  const latest = unit.now + longestPauseMs
  const ahead = unit.db.select({ id: callTable.id }).from(callTable).where(gt(callTable.dueAt, latest)).limit(limit)
  const corrected = await unit.db
    .update(callTable)
    .set({ ...unleased, dueAt: unit.now })
    .where(inArray(callTable.id, ahead))
    .returning({ id: callTable.id })
  return corrected.length
}

const longestPauseMs = 3_600_000

export const executionClockCorrections: readonly ClockCorrection[] = [correctRests, correctCalls]
