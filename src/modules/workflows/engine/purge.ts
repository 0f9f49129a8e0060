import { Type } from "@sinclair/typebox"
import { asc, eq, inArray } from "drizzle-orm"
import type { Engine } from "../../../engine.ts"
import { defineJob, done, handles, type JobHandler, snooze } from "../../../jobs/define.ts"
import { inSlices } from "../../../store/slices.ts"
import type { Unit } from "../../../store/writer.ts"
import type { Emails } from "../../emails/index.ts"
import { executionTable } from "../table.ts"

/** Deletes the executions of a workflow that is deleted. */
const purgeExecutions = defineJob(
  "workflow.purge",
  Type.Object({ projectId: Type.String(), workflowId: Type.String() }),
)

const slice = 500

export interface PurgeDeps extends Pick<Engine, "store" | "jobs"> {
  readonly emails: Pick<Emails, "releaseExecutions">
}

/** Deletes executions, of which a workflow may have millions; their mails stay (contract B5.2.6). */
export function createPurge({ store, jobs, emails }: PurgeDeps) {
  async function purgeSome(unit: Unit, workflowId: string, limit: number): Promise<number> {
    const rows = await unit.db
      .select({ id: executionTable.id })
      .from(executionTable)
      .where(eq(executionTable.workflowId, workflowId))
      .orderBy(asc(executionTable.id))
      .limit(limit)
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return 0
    await emails.releaseExecutions(unit, ids)
    await unit.db.delete(executionTable).where(inArray(executionTable.id, ids))
    return ids.length
  }

  const handlers: JobHandler[] = [
    handles(purgeExecutions, async ({ projectId, workflowId }, abort) => {
      const { isOver } = await inSlices(store, projectId, (unit, limit) => purgeSome(unit, workflowId, limit), {
        size: slice,
        abort,
      })
      return isOver ? done : snooze(0)
    }),
  ]

  return {
    handlers,
    /** Deletes the executions of a workflow: a slice at once, more of them in the background. */
    async purge(unit: Unit, projectId: string, workflowId: string): Promise<void> {
      if ((await purgeSome(unit, workflowId, slice)) < slice) return
      await jobs.enqueue(
        unit,
        purgeExecutions,
        { projectId, workflowId },
        { uniqueKey: `${purgeExecutions.name}:${workflowId}` },
      )
    },
  }
}
