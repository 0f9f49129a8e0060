import { sql } from "drizzle-orm"
import { defineSignal } from "../../bus/signal.ts"
import type { Engine } from "../../engine.ts"
import type { IdempotencyCommit } from "../../http/idempotency.ts"
import { notFound } from "../../kernel/errors.ts"
import type { JsonObject } from "../../kernel/json.ts"
import type { Db } from "../../store/database.ts"
import { itemOf } from "../../store/dialect.ts"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import type { Contacts } from "../contacts/index.ts"
import { findEvent, hasContact, type Recorded } from "./store.ts"
import { eventTable } from "./table.ts"

/** A stored event, whatever its name: what segments and workflows react to. */
export const eventRecorded = defineSignal<{ eventId: string; contactId: string | null; name: string }>("event.recorded")

export interface NewEvent {
  readonly projectId: string
  readonly contactId: string | null
  readonly emailId?: string | undefined
  readonly name: string
  /** As sent or as the contract lists it for system events (B4.4). */
  readonly data: JsonObject
}

const insertEvent = prepare((db) =>
  db.insert(eventTable).values({
    id: sql.placeholder("id"),
    projectId: sql.placeholder("projectId"),
    contactId: sql.placeholder("contactId"),
    emailId: sql.placeholder("emailId"),
    name: sql.placeholder("name"),
    data: sql.placeholder("data"),
    createdAt: sql.placeholder("createdAt"),
  }),
)

/** Stores events in the unit of what causes them and reports them to the bus. */
export const eventRecorder =
  ({ ids, bus }: Pick<Engine, "ids" | "bus">) =>
  async (unit: Unit, { projectId, contactId, emailId = undefined, name, data }: NewEvent): Promise<string> => {
    const id = ids.next()
    await insertEvent(unit.db, { id, projectId, contactId, emailId: emailId ?? null, name, data, createdAt: unit.now })
    await bus.emit(unit, eventRecorded, projectId, { eventId: id, contactId, name })
    return id
  }

export type RecordEvent = ReturnType<typeof eventRecorder>

const insertAlike = prepare((db) => {
  const hole = sql.placeholder
  const pairs = sql`json_each(${hole("pairs")})`
  return db.insert(eventTable).select(
    sql`SELECT ${itemOf(0)}, ${hole("projectId")}, ${itemOf(1)}, NULL, ${hole("name")}, ${hole("data")}, ${hole("createdAt")}
      FROM ${pairs}`,
  )
})

/** Stores the same event of many contacts in the unit of what causes it, and reports each to the bus. */
export const alikeRecorder =
  ({ ids, bus }: Pick<Engine, "ids" | "bus">) =>
  async (
    unit: Unit,
    { projectId, name, data }: Pick<NewEvent, "projectId" | "name" | "data">,
    contactIds: readonly string[],
  ): Promise<void> => {
    if (contactIds.length === 0) return
    const pairs = contactIds.map((contactId) => [ids.next(), contactId] as const)
    const shared = { projectId, name, data: JSON.stringify(data), createdAt: unit.now }
    await insertAlike(unit.db, { ...shared, pairs: JSON.stringify(pairs) })
    for (const [eventId, contactId] of pairs)
      await bus.emit(unit, eventRecorded, projectId, { eventId, contactId, name })
  }

export type RecordAlike = ReturnType<typeof alikeRecorder>

export interface Tracked {
  readonly contactId: string
  readonly eventId: string
  readonly at: number
}

export interface TrackRequest {
  /** In canonical form. */
  readonly email: string
  readonly event: string
  readonly subscribed?: boolean | undefined
  readonly data?: JsonObject | undefined
}

/** An event that somebody reports of a contact they know, of a message, or of nobody. */
export interface PlainEvent {
  readonly name: string
  readonly contactId?: string | undefined
  readonly emailId?: string | undefined
  readonly data?: JsonObject | undefined
}

interface Parts extends Pick<Engine, "store"> {
  readonly contacts: Contacts
  readonly record: RecordEvent
  /** Whether a project has a message. */
  hasMail(db: Db, projectId: string, emailId: string): Promise<boolean>
}

export function eventActions({ store, contacts, record, hasMail }: Parts) {
  return {
    /** Upserts the contact and records the event, in one unit (spec 4.2, contract A4.1). */
    track(
      projectId: string,
      { email, event, subscribed, data }: TrackRequest,
      alongside?: IdempotencyCommit,
    ): Promise<Tracked> {
      return store.write(projectId, async (unit) => {
        const { contact } = await contacts.upsertIn(unit, projectId, {
          email,
          subscribed,
          data,
          subscribedWhenNew: true,
        })
        const eventId = await record(unit, { projectId, contactId: contact.id, name: event, data: data ?? {} })
        if (alongside) await alongside(unit)
        return { contactId: contact.id, eventId, at: unit.now }
      })
    },

    /** Records an event and touches nothing else. Throws 404 for a contact or a message that is not there (contract B4.2.2). */
    add(projectId: string, { name, contactId, emailId, data = {} }: PlainEvent): Promise<Recorded> {
      return store.write(projectId, async (unit) => {
        if (contactId !== undefined && !(await hasContact(unit.db, projectId, contactId)))
          throw notFound("Contact", contactId)
        if (emailId !== undefined && !(await hasMail(unit.db, projectId, emailId))) throw notFound("Email", emailId)
        const id = await record(unit, { projectId, contactId: contactId ?? null, emailId, name, data })
        const stored = await findEvent(unit.db, projectId, id)
        if (stored === undefined) throw new Error("The event was not stored.")
        return stored
      })
    },
  }
}
