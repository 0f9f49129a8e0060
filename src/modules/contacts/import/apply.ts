import type { Engine } from "../../../engine.ts"
import type { JsonObject } from "../../../kernel/json.ts"
import type { Unit } from "../../../store/writer.ts"
import { countField } from "../fields/catalogue.ts"
import { contactChanged } from "../signals.ts"
import { saveContact } from "../store.ts"
import type { Contact } from "../table.ts"
import type { ImportRow } from "./columns.ts"
import { mergeRows } from "./merge.ts"
import { findByEmails, insertContacts } from "./merge-store.ts"
import { advanceImport, insertImportErrors, maxErrors } from "./store.ts"
import type { ImportJob } from "./table.ts"

export interface ApplyParts extends Pick<Engine, "store" | "ids" | "bus"> {
  /** Tells the room how many contacts were created in this unit. */
  noteCreated(unit: Unit, contacts: number): Promise<void>
}

/**
 * Merges the rows that follow those a job has behind it and counts them, in one unit. Resolves to the job as it stands
 * then. Of the rows of one contact only the outcome is written, and fields are counted once for all rows.
 */
export const sliceApplier =
  ({ store, ids, bus, noteCreated }: ApplyParts) =>
  (job: ImportJob, rows: readonly ImportRow[]): Promise<ImportJob> =>
    store.write(job.projectId, async (unit) => {
      const { projectId } = job
      const addresses = new Set(rows.flatMap(({ address }) => address ?? []))
      const known = await findByEmails(unit.db, projectId, addresses)
      const create = (email: string, data: JsonObject): Contact => ({
        id: ids.next(),
        projectId,
        email,
        subscribed: true,
        data,
        createdAt: unit.now,
        updatedAt: unit.now,
      })
      const { created, changed, gained, updated, errors } = mergeRows(known, rows, { now: unit.now, create })

      await insertContacts(unit, projectId, created)
      for (const contact of changed) await saveContact(unit, contact)
      for (const [key, { type, count }] of gained) await countField(unit, projectId, key, type, count)
      await noteCreated(unit, created.length)
      for (const { id } of [...created, ...changed]) await bus.emit(unit, contactChanged, projectId, { contactId: id })

      const { imported, skipped } = job
      const moved = {
        imported: imported + created.length,
        updated: job.updated + updated,
        skipped: skipped + errors.length,
      }
      await insertImportErrors(unit, job.id, errors.slice(0, Math.max(0, maxErrors - skipped)))
      await advanceImport(unit, job, moved)
      return { ...job, ...moved }
    })

export type ApplySlice = ReturnType<typeof sliceApplier>
