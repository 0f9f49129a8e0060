import { sql } from "drizzle-orm"
import { defineSignal } from "../../bus/signal.ts"
import type { Engine } from "../../engine.ts"
import type { JsonObject } from "../../kernel/json.ts"
import { idItemOf, idParam, itemOf, itemsOf } from "../../store/dialect.ts"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import { dataToStore } from "./stored-data.ts"
import { eventTable } from "./table.ts"

/** An event of any name was stored; segments and workflows subscribe to it. */
export const eventRecorded = defineSignal<{ eventId: string; contactId: string | null; name: string }>("event.recorded")

interface NewEvent {
  readonly projectId: string
  readonly contactId: string | null
  readonly emailId?: string | undefined
  readonly name: string
  /** As sent, or as contract B4.4 lists it for events of the service. */
  readonly data: JsonObject
}

const insertEvent = prepare((db) =>
  db.insert(eventTable).values({
    id: idParam("id"),
    projectId: idParam("projectId"),
    contactId: idParam("contactId"),
    emailId: idParam("emailId"),
    name: sql.placeholder("name"),
    storedData: sql.placeholder("storedData"),
    createdAt: sql.placeholder("createdAt"),
  }),
)

const insertForEach = prepare((db) => {
  const { placeholder } = sql
  const pairs = itemsOf(placeholder("pairs"))
  return db.insert(eventTable).select(
    sql`SELECT ${idItemOf(0)}, ${idParam("projectId")}, ${idItemOf(1)}, NULL, ${placeholder("name")}, ${placeholder("data")}, ${placeholder("createdAt")}
      FROM ${pairs}`,
  )
})

const insertOfContact = prepare((db) => {
  const { placeholder } = sql
  return db.insert(eventTable).select(
    sql`SELECT ${idItemOf(0)}, ${idParam("projectId")}, ${idParam("contactId")}, NULL, ${itemOf(1)}, ${itemOf(2)}, ${placeholder("createdAt")}
      FROM ${itemsOf(placeholder("events"))}`,
  )
})

/** Stores events in the unit of their cause and emits them on the bus. */
export function createEventLog({ ids, bus }: Pick<Engine, "ids" | "bus">) {
  return {
    /** Resolves to the id of the event. */
    async record(unit: Unit, { projectId, contactId, emailId, name, data }: NewEvent): Promise<string> {
      const id = ids.next()
      const row = { id, projectId, contactId, emailId: emailId ?? null, name, createdAt: unit.now }
      await insertEvent(unit.db, { ...row, storedData: dataToStore(row, data) })
      await bus.emit(unit, eventRecorded, projectId, { eventId: id, contactId, name })
      return id
    },

    /** The same event for each of many contacts. */
    async recordForEach(
      unit: Unit,
      { projectId, name, data }: Pick<NewEvent, "projectId" | "name" | "data">,
      contactIds: readonly string[],
    ): Promise<void> {
      if (contactIds.length === 0) return
      const pairs = contactIds.map((contactId) => [ids.next(), contactId] as const)
      const shared = { projectId, name, data: JSON.stringify(data), createdAt: unit.now }
      await insertForEach(unit.db, { ...shared, pairs: JSON.stringify(pairs) })
      for (const [eventId, contactId] of pairs)
        await bus.emit(unit, eventRecorded, projectId, { eventId, contactId, name })
    },

    /** Several events of one contact, in their order. */
    async recordOfContact(
      unit: Unit,
      { projectId, contactId }: { readonly projectId: string; readonly contactId: string },
      events: readonly Pick<NewEvent, "name" | "data">[],
    ): Promise<void> {
      if (events.length === 0) return
      const rows = events.map(({ name, data }) => [ids.next(), name, JSON.stringify(data)] as const)
      await insertOfContact(unit.db, { projectId, contactId, events: JSON.stringify(rows), createdAt: unit.now })
      for (const [eventId, name] of rows) await bus.emit(unit, eventRecorded, projectId, { eventId, contactId, name })
    },
  }
}

type EventLog = ReturnType<typeof createEventLog>
export type RecordEvent = EventLog["record"]
/** How one cause stores events of many contacts, or many events of one. */
export type RecordMany = Pick<EventLog, "recordForEach" | "recordOfContact">
