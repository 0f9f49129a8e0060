import { sql } from "drizzle-orm"
import { defineSignal } from "../../bus/signal.ts"
import type { Engine } from "../../engine.ts"
import type { Alongside } from "../../http/idempotency.ts"
import type { JsonObject } from "../../kernel/json.ts"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import type { Contacts } from "../contacts/index.ts"
import { eventTable } from "./table.ts"

/** A stored event, whatever its name: what segments and workflows react to. */
export const eventRecorded = defineSignal<{ eventId: string; contactId: string | null; name: string }>("event.recorded")

export interface NewEvent {
  readonly projectId: string
  readonly contactId: string | null
  readonly emailId?: string
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

export function eventActions({ store }: Pick<Engine, "store">, contacts: Contacts, record: RecordEvent) {
  return {
    /** Upserts the contact and records the event, in one unit (spec 4.2, contract A4.1). */
    track(
      projectId: string,
      { email, event, subscribed, data }: TrackRequest,
      alongside?: Alongside,
    ): Promise<Tracked> {
      return store.write(async (unit) => {
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
  }
}
