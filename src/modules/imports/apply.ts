import type { Store } from "../../store/store.ts"
import type { Contacts } from "../contacts/index.ts"
import type { ImportRow } from "./columns.ts"
import { importJobs, insertImportErrors, maxErrors } from "./store.ts"
import type { ImportError, ImportJob, ImportReason } from "./table.ts"

const reasons = {
  no_address: "invalid_email",
  too_big: "data_too_big",
  too_many_fields: "too_many_fields",
} as const satisfies Record<string, ImportReason>

/** Merges the rows of a slice and counts them, in one unit. */
export const createApply =
  (store: Store, { mergeIn }: Contacts) =>
  (job: ImportJob, rows: readonly ImportRow[]): Promise<ImportJob> =>
    store.write(job.projectId, async (unit) => {
      const addressed = rows.flatMap(({ address, data }) => (address === undefined ? [] : [{ email: address, data }]))
      const outcomes = (await mergeIn(unit, job.projectId, addressed)).values()
      const counts = { imported: job.imported, updated: job.updated, skipped: job.skipped }
      const errors: ImportError[] = []
      for (const { row, email, address } of rows) {
        const outcome = address === undefined ? "no_address" : outcomes.next().value
        if (outcome === "created") counts.imported++
        else if (outcome === "updated") counts.updated++
        else {
          counts.skipped++
          if (counts.skipped <= maxErrors) errors.push({ row, email, reason: reasons[outcome ?? "no_address"] })
        }
      }
      await insertImportErrors(unit, job.id, errors)
      return importJobs.advance(unit, job, counts)
    })
