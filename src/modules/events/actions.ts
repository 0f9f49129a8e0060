import type { Engine } from "../../engine.ts"
import type { IdempotencyCommit } from "../../http/idempotency.ts"
import { notFound } from "../../kernel/errors.ts"
import type { JsonObject } from "../../kernel/json.ts"
import type { Db } from "../../store/database.ts"
import type { Contacts } from "../contacts/index.ts"
import type { EventDrops } from "./drop.ts"
import { createEventLists } from "./lists.ts"
import type { RecordEvent } from "./log.ts"
import { createEventNames } from "./names.ts"
import { findEvent, hasContact, type Recorded } from "./store.ts"

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
  /** The number of custom fields up to which the request may add some; by default the limit of a project. */
  readonly fieldLimit?: number | undefined
  /** Whether `subscribed` may be true of a known contact that is unsubscribed; true when left out. */
  readonly resubscribes?: boolean | undefined
}

/** An event about a contact that the caller knows by its id, about an email, or about neither. */
export interface PlainEvent {
  readonly name: string
  readonly contactId?: string | undefined
  readonly emailId?: string | undefined
  readonly data?: JsonObject | undefined
}

export interface EventDeps {
  readonly contacts: Contacts
  readonly record: RecordEvent
  /** Whether a project has an email of this id. */
  hasEmail(db: Db, projectId: string, id: string): Promise<boolean>
}

function createRecording({ store, contacts, record, hasEmail }: Pick<Engine, "store"> & EventDeps) {
  return {
    /** Upserts the contact and records the event, in one unit (contract A4.1). */
    track(
      projectId: string,
      { email, event, subscribed, data, fieldLimit, resubscribes }: TrackRequest,
      commit?: IdempotencyCommit,
    ): Promise<Tracked> {
      return store.write(projectId, async (unit) => {
        const wanted = { email, subscribed, data, resubscribes, fieldLimit, subscribedWhenNew: true }
        const { contact } = await contacts.upsertIn(unit, projectId, wanted)
        const eventId = await record(unit, { projectId, contactId: contact.id, name: event, data: data ?? {} })
        if (commit) await commit(unit)
        return { contactId: contact.id, eventId, at: unit.now }
      })
    },

    /**
     * Records an event and touches nothing else. @throws {DomainError} 404 for an unknown contact or message (contract
     * B4.2.2)
     */
    add(projectId: string, { name, contactId, emailId, data = {} }: PlainEvent): Promise<Recorded> {
      return store.write(projectId, async (unit) => {
        if (contactId !== undefined && !(await hasContact(unit.db, projectId, contactId)))
          throw notFound("Contact", contactId)
        if (emailId !== undefined && !(await hasEmail(unit.db, projectId, emailId))) throw notFound("Email", emailId)
        const id = await record(unit, { projectId, contactId: contactId ?? null, emailId, name, data })
        const stored = await findEvent(unit.db, projectId, id)
        if (stored === undefined) throw new Error("The event was not stored.")
        return stored
      })
    },
  }
}

/** The actions of events; `drop` deletes all events of a name. */
export const createEventActions = (
  engine: Pick<Engine, "store" | "references">,
  { drop, ...deps }: EventDeps & Pick<EventDrops, "drop">,
) => ({
  ...createRecording({ ...engine, ...deps }),
  ...createEventLists({ ...engine, ...deps }),
  ...createEventNames(engine),
  drop,
})

export type Events = ReturnType<typeof createEventActions>
