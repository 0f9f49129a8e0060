import { and, gt, inArray, sql } from "drizzle-orm"
import type { Unit } from "../../store/writer.ts"
import { isPending } from "./ledger.ts"
import { emailTable } from "./table.ts"

/**
 * Waiting mail whose delay began in the future is due after the same delay from now, for a first attempt at once. The
 * delay of a waiting message began at its `updatedAt`.
 */
export async function correctDueTimes(unit: Unit, limit: number): Promise<number> {
  const { id, dueAt, updatedAt } = emailTable
  const ahead = unit.db
    .select({ id })
    .from(emailTable)
    .where(and(isPending, gt(dueAt, unit.now), gt(updatedAt, unit.now)))
    .limit(limit)
  const corrected = await unit.db
    .update(emailTable)
    .set({
      dueAt: sql`${unit.now} + CASE WHEN ${dueAt} > ${updatedAt} THEN ${dueAt} - ${updatedAt} ELSE 0 END`,
      updatedAt: unit.now,
    })
    .where(and(isPending, inArray(id, ahead)))
    .returning({ id })
  return corrected.length
}
