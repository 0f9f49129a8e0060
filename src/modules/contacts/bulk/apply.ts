import type { Engine } from "../../../engine.ts"
import type { Operations } from "./operations.ts"
import type { Matcher, Slice } from "./slices.ts"
import { advanceBulk, insertBulkErrors, listPresent } from "./store.ts"
import type { BulkJob, Selection } from "./table.ts"

/**
 * Changes the contacts of a slice and counts them, in one unit. Resolves to the job as it stands then. An id that was
 * asked for and is unknown fails. A contact that a filter found, and that others have changed or deleted since, so that
 * the filter would not find it now, is left alone.
 */
export const sliceApplier =
  ({ store }: Pick<Engine, "store">, operations: Operations) =>
  (job: BulkJob, mode: Selection["mode"], isMeant: Matcher, { ids, position }: Slice): Promise<BulkJob> =>
    store.write(job.projectId, async (unit) => {
      const present = await listPresent(unit.db, job.projectId, ids)
      const meant = present.filter(isMeant).map(({ id }) => id)
      for (const id of meant) await operations[job.operation](unit, job.projectId, id)
      const known = new Set(meant)
      const missing = mode === "ids" ? ids.filter((id) => !known.has(id)) : []
      const moved = { succeeded: job.succeeded + meant.length, failed: job.failed + missing.length, position }
      await insertBulkErrors(
        unit,
        job.id,
        missing.map((contactId) => ({ contactId, reason: "not_found" as const })),
      )
      await advanceBulk(unit, job, moved)
      return { ...job, ...moved }
    })

export type ApplySlice = ReturnType<typeof sliceApplier>
