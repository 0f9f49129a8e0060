import type { Store } from "../../store/store.ts"
import type { Operations } from "./operations.ts"
import type { Slice } from "./slices.ts"
import { bulkJobs, insertBulkErrors, listPresent, listPresentHaving } from "./store.ts"
import type { BulkJob } from "./table.ts"

/**
 * Changes the contacts of a slice and counts them, in one unit. An unknown id of an explicit list fails. A contact that
 * a query selected, but that was changed or deleted since so that the query no longer matches it, is left alone.
 */
export const createApply =
  (store: Store, operations: Operations) =>
  (job: BulkJob, { ids, areExpected, isSelected, find, position }: Slice): Promise<BulkJob> =>
    store.write(job.projectId, async (unit) => {
      const present =
        find === undefined
          ? await listPresent(unit.db, job.projectId, ids)
          : await listPresentHaving(unit.db, job.projectId, ids, find)
      const selected = present.filter(isSelected).map(({ id }) => id)
      for (const id of selected) await operations[job.operation](unit, job.projectId, id)
      const known = new Set(selected)
      const missing = areExpected ? ids.filter((id) => !known.has(id)) : []
      await insertBulkErrors(
        unit,
        job.id,
        missing.map((contactId) => ({ contactId, reason: "not_found" as const })),
      )
      const counts = { succeeded: job.succeeded + selected.length, failed: job.failed + missing.length }
      return bulkJobs.advance(unit, job, { ...counts, position })
    })
