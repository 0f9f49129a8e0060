import type { Engine } from "../../../engine.ts"
import type { Operations } from "./operations.ts"
import type { Slice } from "./slices.ts"
import { advanceBulk, insertBulkErrors, listPresent } from "./store.ts"
import type { BulkJob, Selection } from "./table.ts"

/**
 * Changes the contacts of a slice and counts them, in one unit. Resolves to the job as it stands then. An id that was
 * asked for and is unknown fails; a contact that was met on the way and is gone since was deleted by somebody else.
 */
export const sliceApplier =
  ({ store }: Pick<Engine, "store">, operations: Operations) =>
  (job: BulkJob, mode: Selection["mode"], { ids, position }: Slice): Promise<BulkJob> =>
    store.write(async (unit) => {
      const present = await listPresent(unit.db, job.projectId, ids)
      for (const id of present) await operations[job.operation](unit, job.projectId, id)
      const missing = mode === "ids" ? ids.filter((id) => !present.has(id)) : []
      const moved = { succeeded: job.succeeded + present.size, failed: job.failed + missing.length, position }
      await insertBulkErrors(
        unit,
        job.id,
        missing.map((contactId) => ({ contactId, reason: "not_found" as const })),
      )
      await advanceBulk(unit, job, moved)
      return { ...job, ...moved }
    })

export type ApplySlice = ReturnType<typeof sliceApplier>
