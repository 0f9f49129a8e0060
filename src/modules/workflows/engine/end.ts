import { and, eq, inArray } from "drizzle-orm"
import type { Bus } from "../../../bus/bus.ts"
import { isMadeBefore } from "../../../store/dialect.ts"
import type { Unit } from "../../../store/writer.ts"
import { executionEnded } from "../signals.ts"
import { type Execution, executionTable } from "../table.ts"
import { deleteCallsOf } from "./call-store.ts"
import { skipOpenSteps } from "./step-store.ts"
import { isActive, type Position } from "./store.ts"

/** Why an execution was cancelled (contract B5.6.8, B5.6.9). */
type CancelReason = "cancelled" | "project_disabled"

/** The `exitReason` of an execution whose step is gone. */
export const stepRemoved = "step_removed"

/** An execution at its end. */
export const ended = <E extends Execution>(
  execution: E,
  status: "COMPLETED" | "EXITED" | "FAILED" | "CANCELLED",
  exitReason: string | null,
  now: number,
): E => ({
  ...execution,
  ...atEnd(now),
  status,
  exitReason,
})

const atEnd = (
  now: number,
): Pick<Position, "currentStepId" | "dueAt" | "waitsFor" | "waitsAfter" | "completedAt" | "updatedAt"> => ({
  currentStepId: null,
  dueAt: null,
  waitsFor: null,
  waitsAfter: null,
  completedAt: now,
  updatedAt: now,
})

type Ended = Pick<Execution, "id" | "projectId" | "workflowId" | "contactId" | "status" | "exitReason">

/** Tells that an execution has ended, in the unit that ends it. */
export const emitEnded = (
  bus: Pick<Bus, "emit">,
  unit: Unit,
  { id: executionId, projectId, workflowId, contactId, status, exitReason }: Ended,
): Promise<void> =>
  bus.emit(unit, executionEnded, projectId, { executionId, workflowId, contactId, status, exitReason })

/** Ends those of the executions that are active; resolves to them. */
async function endActive(
  bus: Pick<Bus, "emit">,
  unit: Unit,
  ids: readonly string[],
  end: Pick<Execution, "status" | "exitReason">,
): Promise<Ended[]> {
  const { id, projectId, workflowId, contactId, status, exitReason } = executionTable
  const rows = await unit.db
    .update(executionTable)
    .set({ ...atEnd(unit.now), ...end })
    .where(and(inArray(id, [...ids]), isActive))
    // Without the context, which may be long.
    .returning({ id, projectId, workflowId, contactId, status, exitReason })
  for (const execution of rows) await emitEnded(bus, unit, execution)
  return rows
}

/** Cancels active executions; resolves to those that this unit cancelled. */
export async function cancelExecutions(
  bus: Pick<Bus, "emit">,
  unit: Unit,
  ids: readonly string[],
  exitReason: CancelReason,
): Promise<Ended[]> {
  if (ids.length === 0) return []
  await deleteCallsOf(unit, ids)
  await skipOpenSteps(unit, ids)
  return endActive(bus, unit, ids, { status: "CANCELLED", exitReason })
}

/** Ends executions whose step was removed without a step to continue at (contract B5.11.4). */
export async function exitExecutions(bus: Pick<Bus, "emit">, unit: Unit, ids: readonly string[]): Promise<void> {
  await endActive(bus, unit, ids, { status: "EXITED", exitReason: stepRemoved })
}

/**
 * Cancels up to `limit` active executions of a workflow, those made before an id if one is given; resolves to their
 * number.
 */
export async function cancelSome(
  bus: Pick<Bus, "emit">,
  unit: Unit,
  { workflowId, before }: { readonly workflowId: string; readonly before?: string | undefined },
  exitReason: CancelReason,
  limit: number,
): Promise<number> {
  const rows = await unit.db
    .select({ id: executionTable.id })
    .from(executionTable)
    .where(
      and(
        eq(executionTable.workflowId, workflowId),
        inArray(executionTable.status, ["RUNNING", "WAITING"]),
        before === undefined ? undefined : isMadeBefore(executionTable.id, before),
      ),
    )
    .limit(limit)
  const ids = rows.map(({ id }) => id)
  return (await cancelExecutions(bus, unit, ids, exitReason)).length
}
