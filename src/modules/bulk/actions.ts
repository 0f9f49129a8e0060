import type { Engine } from "../../engine.ts"
import { notFound } from "../../kernel/errors.ts"
import type { Actor, Audit, AuditEntry } from "../audit/index.ts"
import { bulkRun } from "./jobs.ts"
import { bulkJobs, insertBulk, listBulkErrors } from "./store.ts"
import type { BulkError, BulkJob, Operation, Selection } from "./table.ts"

export interface BulkReport extends BulkJob {
  readonly errors: readonly BulkError[]
}

export const createBulkActions = (
  { store, ids, jobs }: Pick<Engine, "store" | "ids" | "jobs">,
  { audit }: { readonly audit: Pick<Audit, "record"> },
) => ({
  /** Queues an operation on the selected contacts; resolves to the id of the job. */
  async start(projectId: string, operation: Operation, selection: Selection, actor: Actor): Promise<string> {
    const id = ids.next()
    await store.write(projectId, async (unit) => {
      await insertBulk(unit, { id, projectId, operation, selection })
      await jobs.enqueue(unit, bulkRun, { projectId, jobId: id })
      if (operation === "delete")
        await audit.record(unit, { projectId, action: "contacts.deleted", actor, details: summaryOf(selection) })
    })
    return id
  },

  async get(projectId: string, id: string): Promise<BulkReport> {
    const job = await bulkJobs.find(store.read, projectId, id)
    if (job === undefined) throw notFound("Bulk job", id)
    return { ...job, errors: await listBulkErrors(store.read, id) }
  },
})

/** A selection without the ids in it, which may be thousands. */
const summaryOf = (selection: Selection): NonNullable<AuditEntry["details"]> =>
  selection.mode === "ids"
    ? { contacts: selection.ids.length }
    : { filter: selection.filter, excluded: selection.excludeIds.length }

export type Bulk = ReturnType<typeof createBulkActions>
