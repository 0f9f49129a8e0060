import type { Engine } from "../../engine.ts"
import { notFound } from "../../kernel/errors.ts"
import type { JsonObject } from "../../kernel/json.ts"
import type { Unit } from "../../store/writer.ts"
import { patchData, typeOf } from "./data.ts"
import { addField, dropField, findByEmail, findById, insertContact, saveContact } from "./store.ts"
import type { Contact } from "./table.ts"

/** A change of a contact as a request asks for it. `undefined` keeps what is there. */
export interface ContactChange {
  /** In canonical form. */
  readonly email: string
  readonly subscribed?: boolean | undefined
  readonly data?: JsonObject | undefined
  /** The state of a contact that this change creates, when `subscribed` says nothing. */
  readonly subscribedWhenNew: boolean
}

export interface Upserted {
  readonly contact: Contact
  /** Data as templates of this request see it, request-only values included. */
  readonly visible: JsonObject
  readonly isNew: boolean
}

/** Why a contact was unsubscribed (contract B4.4). */
export type UnsubscribeReason = "api" | "link" | "one_click" | "bounce" | "complaint" | "bulk" | "workflow"

export interface ContactEvent {
  readonly projectId: string
  readonly contactId: string
  readonly name: "contact.subscribed" | "contact.unsubscribed"
  readonly data: JsonObject
}

/** What contacts need from the house: a place where their events are stored, in the unit of the change. */
export interface ContactPorts {
  record(unit: Unit, event: ContactEvent): Promise<unknown>
}

export function contactActions({ store, ids }: Pick<Engine, "store" | "ids">, { record }: ContactPorts) {
  async function create(unit: Unit, projectId: string, change: ContactChange): Promise<Upserted> {
    const { stored, visible, added } = patchData({}, change.data)
    const contact: Contact = {
      id: ids.next(),
      projectId,
      email: change.email,
      subscribed: change.subscribed ?? change.subscribedWhenNew,
      data: stored,
      createdAt: unit.now,
      updatedAt: unit.now,
    }
    await insertContact(unit, contact)
    for (const key of added) await addField(unit, projectId, key, typeOf(stored[key] ?? null))
    return { contact, visible, isNew: true }
  }

  async function change(unit: Unit, known: Contact, change: ContactChange): Promise<Upserted> {
    const { stored, visible, added, removed } = patchData(known.data, change.data)
    const subscribed = change.subscribed ?? known.subscribed
    const flipped = subscribed !== known.subscribed
    if (!flipped && stored === known.data) return { contact: known, visible, isNew: false }
    const contact: Contact = { ...known, subscribed, data: stored, updatedAt: unit.now }
    await saveContact(unit, contact)
    for (const key of added) await addField(unit, contact.projectId, key, typeOf(stored[key] ?? null))
    for (const key of removed) await dropField(unit, contact.projectId, key)
    if (flipped) await recordFlip(unit, contact, "api")
    return { contact, visible, isNew: false }
  }

  async function recordFlip(unit: Unit, contact: Contact, reason: UnsubscribeReason): Promise<void> {
    const { projectId, id: contactId, subscribed } = contact
    const name = subscribed ? "contact.subscribed" : "contact.unsubscribed"
    await record(unit, { projectId, contactId, name, data: subscribed ? {} : { reason } })
  }

  return {
    /** Creates the contact or patches it. The unit is the writer's, so nobody can come between look-up and insert. */
    async upsertIn(unit: Unit, projectId: string, wanted: ContactChange): Promise<Upserted> {
      const known = await findByEmail(unit.db, projectId, wanted.email)
      return known ? change(unit, known, wanted) : create(unit, projectId, wanted)
    },

    /** Flips the subscription of a contact and records why; nothing happens when it is so already. */
    async setSubscribedIn(
      unit: Unit,
      projectId: string,
      id: string,
      subscribed: boolean,
      reason: UnsubscribeReason,
    ): Promise<void> {
      const known = await findById(unit.db, projectId, id)
      if (known === undefined || known.subscribed === subscribed) return
      const contact = { ...known, subscribed, updatedAt: unit.now }
      await saveContact(unit, contact)
      await recordFlip(unit, contact, reason)
    },

    async get(projectId: string, id: string): Promise<Contact> {
      const contact = await findById(store.read, projectId, id)
      if (contact === undefined) throw notFound("Contact", id)
      return contact
    },
  }
}
