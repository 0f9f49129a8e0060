import { and, count, eq, gte, inArray, isNotNull } from "drizzle-orm"
import type { Engine } from "../../../engine.ts"
import { day } from "../../../kernel/clock.ts"
import type { Db } from "../../../store/database.ts"
import { jsonPath, jsonValueOf } from "../../../store/dialect.ts"
import { getWorkflow } from "../actions.ts"
import { plain } from "../graph.ts"
import { executionTable, stepExecutionTable, stepTable, transitionTable } from "../table.ts"

/** How contacts move through a workflow. */
export interface Flow {
  /** How many stand on each step; steps on which nobody does are left out. */
  readonly standing: readonly { readonly stepId: string; readonly contacts: number }[]
  /** How often each exit was taken. */
  readonly passed: readonly ExitCount[]
}

interface ExitCount {
  readonly stepId: string
  readonly branch: string
  readonly last7Days: number
  readonly last30Days: number
}

const standingOn = (db: Db, workflowId: string) =>
  db
    .select({ stepId: stepTable.id, contacts: count() })
    .from(stepTable)
    .innerJoin(
      executionTable,
      and(eq(executionTable.currentStepId, stepTable.id), isNotNull(executionTable.currentStepId)),
    )
    .where(eq(stepTable.workflowId, workflowId))
    .groupBy(stepTable.id)

const passedSince = (db: Db, stepIds: readonly string[], since: number) => {
  const branch = jsonValueOf(stepExecutionTable.output, jsonPath(["branch"]))
  const timedOut = jsonValueOf(stepExecutionTable.output, jsonPath(["timedOut"]))
  return db
    .select({ stepId: stepExecutionTable.stepId, branch, timedOut, total: count() })
    .from(stepExecutionTable)
    .where(
      and(
        inArray(stepExecutionTable.stepId, [...stepIds]),
        gte(stepExecutionTable.completedAt, since),
        eq(stepExecutionTable.status, "COMPLETED"),
      ),
    )
    .groupBy(stepExecutionTable.stepId, branch, timedOut)
}

/** The waits that are left by an exit of its own when their time is up; others are left by the plain one. */
async function findTimeouts(db: Db, workflowId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ stepId: transitionTable.fromStepId })
    .from(transitionTable)
    .where(and(eq(transitionTable.workflowId, workflowId), eq(transitionTable.branch, "timeout")))
  return new Set(rows.map(({ stepId }) => stepId))
}

/** The read of a workflow's flow, off the event loop. */
export const createFlow =
  ({ store, clock }: Pick<Engine, "store" | "clock">) =>
  async (projectId: string, workflowId: string): Promise<Flow> => {
    await getWorkflow(store.read, projectId, workflowId)
    const now = clock.now()
    const steps = await store.read
      .select({ id: stepTable.id })
      .from(stepTable)
      .where(eq(stepTable.workflowId, workflowId))
    const ids = steps.map(({ id }) => id)
    const standing = await store.readPool.read(projectId, (db) => standingOn(db, workflowId))
    const timeouts = await findTimeouts(store.read, workflowId)
    const passed = new Map<string, ExitCount>()
    for (const days of [7, 30] as const)
      for (const row of await store.readPool.read(projectId, (db) => passedSince(db, ids, now - days * day))) {
        const isTimeout = row.timedOut === 1 && timeouts.has(row.stepId)
        const branch = isTimeout ? "timeout" : String(row.branch ?? plain)
        const key = `${row.stepId} ${branch}`
        const known = passed.get(key) ?? { stepId: row.stepId, branch, last7Days: 0, last30Days: 0 }
        const span = days === 7 ? "last7Days" : "last30Days"
        passed.set(key, { ...known, [span]: known[span] + row.total })
      }
    return { standing, passed: [...passed.values()] }
  }
