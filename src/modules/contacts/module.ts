import { Elysia } from "elysia"
import type { Engine } from "../../engine.ts"
import type { Module } from "../../module.ts"
import { deleteSome } from "../../store/delete-some.ts"
import type { Unit } from "../../store/writer.ts"
import type { Audit } from "../audit/index.ts"
import { type ContactEvent, type Contacts, createContactActions } from "./actions.ts"
import { createFieldActions } from "./fields/actions.ts"
import { createFieldDrops } from "./fields/drop.ts"
import { fieldRoutes } from "./fields/routes.ts"
import { createContactList } from "./list/actions.ts"
import { createMergeActions } from "./merge/actions.ts"
import { contactRoutes } from "./routes.ts"
import { createSearchIndexing } from "./search/jobs.ts"
import { eraseContacts } from "./store.ts"
import { contactTable } from "./table.ts"

interface ContactDeps {
  /** Stores an event in the unit of the change that causes it. */
  record(unit: Unit, event: ContactEvent): Promise<unknown>
  readonly audit: Pick<Audit, "record">
  /** Deletes rows of contacts in all modules. */
  eraseSomeOf(unit: Unit, contactIds: readonly string[], limit: number): Promise<number>
  /** Deletes the rows of a contact in all modules, in the unit that deletes the contact. */
  beforeDeletion(unit: Unit, projectId: string, contactId: string): Promise<void>
}

/** Contacts: the people of a project and their custom fields. */
export function createContacts(
  engine: Pick<Engine, "store" | "ids" | "jobs" | "bus" | "references">,
  { record, audit, eraseSomeOf, beforeDeletion }: ContactDeps,
) {
  const indexing = createSearchIndexing(engine)
  const drops = createFieldDrops(engine, { audit })
  const { noteCreated } = indexing
  const actions: Contacts = {
    ...createContactActions({ ...engine, record, noteCreated, eraseSomeOf, beforeDeletion }),
    ...createMergeActions({ ...engine, noteCreated }),
    list: createContactList(engine),
    fields: createFieldActions({ ...engine, drop: drops.drop }),
  }
  return {
    name: "contacts",
    actions,
    routes: (protect) => new Elysia().use(contactRoutes(actions, protect)).use(fieldRoutes(actions.fields, protect)),
    handlers: [...indexing.handlers, ...drops.handlers],
    recurring: indexing.recurring,
    erase: eraseContacts,
    eraseSome: (unit, projectId, limit) => deleteSome(unit, contactTable, projectId, limit),
    async open(): Promise<void> {
      await indexing.open()
      await drops.open()
    },
  } satisfies Module
}
