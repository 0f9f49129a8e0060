import type { Store } from "../../store/store.ts"
import type { Unit } from "../../store/writer.ts"
import type { Contacts } from "../contacts/index.ts"
import { createOperations } from "./operations.ts"
import type { Slice } from "./slices.ts"
import { bulkJobs, insertBulkErrors, listPresent, listPresentHaving } from "./store.ts"
import type { BulkJob } from "./table.ts"

/** The contacts of a slice that the selection contains now. */
async function selectedIn({ db }: Unit, { projectId }: BulkJob, { ids, find, isSelected }: Slice): Promise<string[]> {
  const present =
    find === undefined ? await listPresent(db, projectId, ids) : await listPresentHaving(db, projectId, ids, find)
  return present.filter(isSelected).map(({ id }) => id)
}

/**
 * Changes the contacts of a slice and counts them, in one unit. An unknown id of an explicit list fails. A contact that
 * a query selected, but that was changed or deleted since so that the query no longer matches it, is left alone. Before
 * contacts are deleted, most of what they have is deleted in units of its own.
 */
export function createApply(store: Store, contacts: Contacts) {
  const operations = createOperations(contacts)
  return async (job: BulkJob, slice: Slice): Promise<BulkJob> => {
    const { projectId, operation } = job
    if (operation === "delete") await contacts.eraseMostOf(projectId, (unit) => selectedIn(unit, job, slice))
    return store.write(projectId, async (unit) => {
      const selected = await selectedIn(unit, job, slice)
      for (const id of selected) await operations[operation](unit, projectId, id)
      const known = new Set(selected)
      const missing = slice.areExpected ? slice.ids.filter((id) => !known.has(id)) : []
      await insertBulkErrors(
        unit,
        job.id,
        missing.map((contactId) => ({ contactId, reason: "not_found" as const })),
      )
      const counts = { succeeded: job.succeeded + selected.length, failed: job.failed + missing.length }
      return bulkJobs.advance(unit, job, { ...counts, position: slice.position })
    })
  }
}
