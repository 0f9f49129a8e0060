import type { Engine } from "../../../engine.ts"
import type { JsonObject } from "../../../kernel/json.ts"
import type { Unit } from "../../../store/writer.ts"
import { countField, listKeys } from "../fields/catalogue.ts"
import { contactChanged } from "../signals.ts"
import { saveContact } from "../store.ts"
import type { Contact } from "../table.ts"
import { inUnits } from "../units.ts"
import { type MergeOutcome, type MergeRow, mergeRows } from "./rules.ts"
import { findByEmails, insertContacts, listDataBytes } from "./store.ts"

interface MergeDeps extends Pick<Engine, "store" | "ids" | "bus"> {
  noteCreated(unit: Unit, contacts: number): Promise<void>
}

/** Upserts of many contacts in one unit. */
export const createMergeActions = ({ store, ids, bus, noteCreated }: MergeDeps) => ({
  /**
   * Splits rows into parts for one unit each. `emailOf` returns the address of a row in canonical form, if it has one.
   */
  async *mergeUnits<R>(
    projectId: string,
    rows: readonly R[],
    emailOf: (row: R) => string | undefined,
  ): AsyncGenerator<R[]> {
    const bytes = await listDataBytes(store.read, projectId, new Set(rows.flatMap((row) => emailOf(row) ?? [])))
    yield* inUnits(rows, rows.length, (row) => bytes.get(emailOf(row) ?? "") ?? 0)
  },

  /**
   * Creates or patches the contacts of the rows; new ones are subscribed, known ones keep their state. Only the final
   * state of each contact is written, and fields are counted once for all rows.
   */
  async mergeIn(unit: Unit, projectId: string, rows: readonly MergeRow[]): Promise<readonly MergeOutcome[]> {
    const known = await findByEmails(unit.db, projectId, new Set(rows.map(({ email }) => email)))
    const fields = await listKeys(unit.db, projectId)
    const create = (email: string, data: JsonObject): Contact => ({
      id: ids.next(),
      projectId,
      email,
      subscribed: true,
      data,
      createdAt: unit.now,
      updatedAt: unit.now,
    })
    const { created, changed, gained, outcomes } = mergeRows(known, rows, { now: unit.now, create, fields })

    await insertContacts(unit, projectId, created)
    for (const contact of changed) await saveContact(unit, contact)
    for (const [key, { type, count }] of gained) await countField(unit, projectId, key, type, { contacts: count })
    await noteCreated(unit, created.length)
    for (const { id } of [...created, ...changed]) await bus.emit(unit, contactChanged, projectId, { contactId: id })
    return outcomes
  },
})

export type MergeActions = ReturnType<typeof createMergeActions>
