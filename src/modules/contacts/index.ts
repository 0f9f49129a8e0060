import type { Engine } from "../../engine.ts"
import type { Unit } from "../../store/writer.ts"
import { type ContactEvent, contactActions } from "./actions.ts"
import { type FieldPorts, fieldActions } from "./fields/actions.ts"
import { fieldDrops } from "./fields/drop.ts"
import { createContactList } from "./list/actions.ts"
import { searchIndexing } from "./search/jobs.ts"

export type { ContactChange, ContactEvent, ContactPatch, Foreseen, UnsubscribeReason, Upserted } from "./actions.ts"
export { bulkRoutes, contactBulk } from "./bulk/index.ts"
export { dataFaults, eventDataFaults, isReservedKey, patchData, unwrapped } from "./data.ts"
export { contactExample, contactSchema } from "./document.ts"
export type { FieldPorts, FieldUser, FieldUses } from "./fields/actions.ts"
export { fieldRoutes } from "./fields/routes.ts"
export { contactImports, importRoutes } from "./import/index.ts"
export { contactRoutes } from "./routes.ts"
export { lastSeq } from "./search/store.ts"
export { contactChanged, contactRemoved } from "./signals.ts"
export { countContacts } from "./store.ts"
export { type Contact, contactTable } from "./table.ts"
export { presentContact } from "./wire.ts"

/** What contacts need from the house. */
export interface ContactPorts extends FieldPorts {
  /** Stores an event in the unit of the change that causes it. */
  record(unit: Unit, event: ContactEvent): Promise<unknown>
}

/** Contacts: the people of a project and their custom fields. */
export function contacts(engine: Pick<Engine, "store" | "ids" | "jobs" | "bus">, { record, usesOf }: ContactPorts) {
  const indexing = searchIndexing(engine)
  const drops = fieldDrops(engine)
  return {
    ...contactActions({ ...engine, record, noteCreated: indexing.noteCreated }),
    noteCreated: indexing.noteCreated,
    list: createContactList(engine),
    fields: fieldActions({ ...engine, usesOf, drop: drops.drop }),
    handlers: [...indexing.handlers, ...drops.handlers],
    recurring: indexing.recurring,
    /** Called once, when jobs are known and before the first request. */
    async open(): Promise<void> {
      await indexing.open()
      await drops.open()
    },
  }
}

export type Contacts = ReturnType<typeof contacts>
