import { Type } from "@sinclair/typebox"
import { asc, eq, inArray } from "drizzle-orm"
import type { Engine } from "../../../engine.ts"
import { defineJob, done, handles, type JobHandler, snooze, untilDone } from "../../../jobs/define.ts"
import { inSlices } from "../../../store/slices.ts"
import type { Unit } from "../../../store/writer.ts"
import type { Emails } from "../../emails/index.ts"
import { executionTable } from "../table.ts"

/** Deletes the executions of a workflow that is deleted. */
const purgeExecutions = defineJob(
  "workflow.purge",
  Type.Object({ projectId: Type.String(), workflowId: Type.String() }),
  untilDone,
)

/** The executions and the steps of a unit: an execution has up to 1,000 of them, which go with it. */
const slice = 500
const stepsAtOnce = 5_000

/** The first executions, with so many steps at most; one at least. */
function firstOf(rows: readonly { readonly id: string; readonly steps: number }[]): string[] {
  const ids: string[] = []
  let left = stepsAtOnce
  for (const { id, steps } of rows) {
    left -= steps
    if (left < 0 && ids.length > 0) break
    ids.push(id)
  }
  return ids
}

interface PurgeDeps extends Pick<Engine, "store" | "jobs"> {
  readonly emails: Pick<Emails, "releaseExecutions">
}

/** Deletes executions, of which a workflow may have millions; their mails stay (contract B5.2.6). */
export function createPurge({ store, jobs, emails }: PurgeDeps) {
  /** Resolves to whether there may be more. */
  async function purgeSome(unit: Unit, workflowId: string, limit: number): Promise<boolean> {
    const rows = await unit.db
      .select({ id: executionTable.id, steps: executionTable.steps })
      .from(executionTable)
      .where(eq(executionTable.workflowId, workflowId))
      .orderBy(asc(executionTable.id))
      .limit(limit)
    const ids = firstOf(rows)
    if (ids.length === 0) return false
    await emails.releaseExecutions(unit, ids)
    await unit.db.delete(executionTable).where(inArray(executionTable.id, ids))
    return ids.length < rows.length || rows.length === limit
  }

  const handlers: JobHandler[] = [
    handles(purgeExecutions, async ({ projectId, workflowId }, abort) => {
      const step = async (unit: Unit, limit: number) => ((await purgeSome(unit, workflowId, limit)) ? limit : 0)
      const { isOver } = await inSlices(store, projectId, step, { size: slice, abort })
      return isOver ? done : snooze(0)
    }),
  ]

  return {
    handlers,
    /** Deletes the executions of a workflow: a slice at once, more of them in the background. */
    async purge(unit: Unit, projectId: string, workflowId: string): Promise<void> {
      if (!(await purgeSome(unit, workflowId, slice))) return
      await jobs.enqueue(
        unit,
        purgeExecutions,
        { projectId, workflowId },
        { uniqueKey: `${purgeExecutions.name}:${workflowId}` },
      )
    },
  }
}
