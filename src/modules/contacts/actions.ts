import type { Engine } from "../../engine.ts"
import { parseAddress } from "../../kernel/email-address.ts"
import { conflict, notFound } from "../../kernel/errors.ts"
import { nilId } from "../../kernel/ids.ts"
import type { JsonObject } from "../../kernel/json.ts"
import type { Db } from "../../store/database.ts"
import { inSlices } from "../../store/slices.ts"
import type { Unit } from "../../store/writer.ts"
import { type Patched, patchData, typeOf } from "./data.ts"
import type { FieldActions } from "./fields/actions.ts"
import { checkAdded, countField, uncountField } from "./fields/catalogue.ts"
import type { ContactList } from "./list/actions.ts"
import type { MergeActions } from "./merge/actions.ts"
import { contactChanged, contactRemoved } from "./signals.ts"
import {
  countContacts,
  deleteContact,
  findAddresses,
  findByEmail,
  findById,
  insertContact,
  saveAddress,
  saveContact,
} from "./store.ts"
import type { Contact } from "./table.ts"

/** A change of a known contact. `undefined` leaves a field as it is. */
export interface ContactPatch {
  /** In canonical form. */
  readonly email?: string | undefined
  readonly subscribed?: boolean | undefined
  readonly data?: JsonObject | undefined
  /** The change may add custom fields to the project up to this number; by default up to the limit of a project. */
  readonly fieldLimit?: number | undefined
}

/** A contact as a request wants it, known or not. */
export interface ContactChange extends ContactPatch {
  readonly email: string
  /** The state of a contact that this change creates, when `subscribed` is undefined. */
  readonly subscribedWhenNew: boolean
  /** Whether `subscribed` may be true of a known contact that is unsubscribed; true when left out. */
  readonly resubscribes?: boolean | undefined
}

export interface Upserted {
  readonly contact: Contact
  /** The data that templates of this request see, request-only values included. */
  readonly visible: JsonObject
  readonly isNew: boolean
}

/** What an upsert would return; a new contact has the nil id. */
export interface UpsertPreview extends Pick<Upserted, "visible"> {
  readonly contact: Pick<Contact, "id" | "email" | "subscribed">
}

/** Why a contact was unsubscribed (contract B4.4.9) or subscribed; only the former is part of an event. */
type SubscriptionReason = "api" | "link" | "one_click" | "bounce" | "complaint" | "bulk" | "workflow"

export interface ContactEvent {
  readonly projectId: string
  readonly contactId: string
  readonly name: "contact.subscribed" | "contact.unsubscribed"
  readonly data: JsonObject
}

interface ContactActionDeps extends Pick<Engine, "store" | "ids" | "bus"> {
  /** Stores an event in the unit of the change that causes it. */
  record(unit: Unit, event: ContactEvent): Promise<unknown>
  noteCreated(unit: Unit): Promise<void>
  /** Deletes `limit` rows of contacts in all modules when there are more; resolves to how many it deleted. */
  eraseSomeOf(unit: Unit, contactIds: readonly string[], limit: number): Promise<number>
  /** Deletes the rows of a contact in all modules, in the unit that deletes the contact. */
  beforeDeletion(unit: Unit, projectId: string, contactId: string): Promise<void>
}

/** Rows of contacts that one unit deletes, and turns of the event loop between two units. */
const [slice, turnsBetween] = [100, 10]

/** The addresses of a lookup, as they were given. */
interface Lookup {
  readonly found: readonly string[]
  readonly notFound: readonly string[]
}

export function createContactActions({
  store,
  ids,
  bus,
  record,
  noteCreated,
  eraseSomeOf,
  beforeDeletion,
}: ContactActionDeps) {
  const emitChanged = (unit: Unit, { projectId, id }: Contact) =>
    bus.emit(unit, contactChanged, projectId, { contactId: id })

  async function countAdded(
    unit: Unit,
    projectId: string,
    { stored, added }: Pick<Patched, "stored" | "added">,
    limit?: number,
  ): Promise<void> {
    checkAdded(added)
    for (const key of added) await countField(unit, projectId, key, typeOf(stored[key] ?? null), { limit })
  }

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
    await countAdded(unit, projectId, { stored, added }, change.fieldLimit)
    await noteCreated(unit)
    await emitChanged(unit, contact)
    return { contact, visible, isNew: true }
  }

  /** `reason` is recorded if the patch unsubscribes the contact. */
  async function patch(
    unit: Unit,
    known: Contact,
    wanted: ContactPatch,
    reason: SubscriptionReason = "api",
  ): Promise<Upserted> {
    const { stored, visible, added, removed } = patchData(known.data, wanted.data)
    const { email = known.email, subscribed = known.subscribed } = wanted
    const isChanged = subscribed !== known.subscribed
    if (!isChanged && stored === known.data && email === known.email) return { contact: known, visible, isNew: false }
    const contact: Contact = { ...known, email, subscribed, data: stored, updatedAt: unit.now }
    if (email !== known.email) await saveAddress(unit, contact)
    await saveContact(unit, contact)
    await countAdded(unit, contact.projectId, { stored, added }, wanted.fieldLimit)
    for (const key of removed) await uncountField(unit, contact.projectId, key)
    if (isChanged) await recordSubscription(unit, contact, reason)
    await emitChanged(unit, contact)
    return { contact, visible, isNew: false }
  }

  async function recordSubscription(unit: Unit, contact: Contact, reason: SubscriptionReason): Promise<void> {
    const { projectId, id: contactId, subscribed } = contact
    const name = subscribed ? "contact.subscribed" : "contact.unsubscribed"
    await record(unit, { projectId, contactId, name, data: subscribed ? {} : { reason } })
  }

  /** Creates or patches the contact. The unit is the only writer, so no other insert can come between look-up and insert. */
  async function upsertIn(
    unit: Unit,
    projectId: string,
    wanted: ContactChange,
    reason?: SubscriptionReason,
  ): Promise<Upserted> {
    const known = await findByEmail(unit.db, projectId, wanted.email)
    if (known === undefined) return create(unit, projectId, wanted)
    const staysOut = wanted.resubscribes === false && wanted.subscribed === true
    return patch(unit, known, staysOut ? { ...wanted, subscribed: undefined } : wanted, reason)
  }

  async function removeIn(unit: Unit, projectId: string, id: string): Promise<boolean> {
    await beforeDeletion(unit, projectId, id)
    const isGone = await deleteContact(unit, projectId, id)
    if (isGone) await bus.emit(unit, contactRemoved, projectId, { contactId: id })
    return isGone
  }

  /**
   * Deletes most events, mails and executions of contacts that are about to be deleted, in short units, because a
   * contact may have any number of them. `idsIn` reads the ids of the contacts in each unit.
   */
  const eraseMostOf = (projectId: string, idsIn: (unit: Unit) => Promise<readonly string[]>) =>
    inSlices(store, projectId, async (unit, limit) => eraseSomeOf(unit, await idsIn(unit), limit), {
      size: slice,
      turns: turnsBetween,
    })

  return {
    upsertIn,
    eraseMostOf,

    /** What `upsert` would return now; changes nothing. */
    async previewUpsert(projectId: string, wanted: ContactChange): Promise<UpsertPreview> {
      const { email } = wanted
      const known = await findByEmail(store.read, projectId, email)
      const subscribed = wanted.subscribed ?? known?.subscribed ?? wanted.subscribedWhenNew
      const { visible } = patchData(known?.data ?? {}, wanted.data)
      return { contact: { id: known?.id ?? nilId, email, subscribed }, visible }
    },

    upsert: (projectId: string, wanted: ContactChange): Promise<Upserted> =>
      store.write(projectId, (unit) => upsertIn(unit, projectId, wanted)),

    async get(projectId: string, id: string): Promise<Contact> {
      return (await findById(store.read, projectId, id)) ?? missing(id)
    },

    find: (db: Db, projectId: string, id: string): Promise<Contact | undefined> => findById(db, projectId, id),

    /** How many contacts a project has; costs the same for any number. */
    async count(projectId: string): Promise<number> {
      const { subscribed, unsubscribed } = await countContacts(store.read, projectId)
      return subscribed + unsubscribed
    },

    /** @throws {DomainError} 409 when another contact of the project has the address (contract A5.4) */
    change: (projectId: string, id: string, wanted: ContactPatch): Promise<Contact> =>
      store.write(projectId, async (unit) => {
        const known = (await findById(unit.db, projectId, id)) ?? missing(id)
        if (wanted.email !== undefined && wanted.email !== known.email) {
          const other = await findByEmail(unit.db, projectId, wanted.email)
          if (other) throw conflict("Another contact has this address.", { contactId: other.id })
        }
        return (await patch(unit, known, wanted)).contact
      }),

    /**
     * Changes a contact in the caller's unit and records why; undefined when it is gone. After a 422 the unit must be
     * rolled back.
     */
    async changeIn(
      unit: Unit,
      projectId: string,
      id: string,
      wanted: ContactPatch,
      reason: SubscriptionReason,
    ): Promise<Contact | undefined> {
      const known = await findById(unit.db, projectId, id)
      return known && (await patch(unit, known, wanted, reason)).contact
    },

    /** Restores the state that a contact had in another unit, which was rolled back. Emits nothing. */
    async restoreIn(unit: Unit, contact: Contact): Promise<void> {
      const known = await findById(unit.db, contact.projectId, contact.id)
      await (known ? saveContact(unit, contact) : insertContact(unit, contact))
    },

    /** Subscribes or unsubscribes a contact and records why; does nothing when it has that state already. */
    async setSubscribedIn(
      unit: Unit,
      projectId: string,
      id: string,
      subscribed: boolean,
      reason: SubscriptionReason,
    ): Promise<void> {
      const known = await findById(unit.db, projectId, id)
      if (known) await patch(unit, known, { subscribed }, reason)
    },

    /** Deletes a contact and its data; false when there is none. `eraseMostOf` has to be called before. */
    removeIn,

    async remove(projectId: string, id: string): Promise<void> {
      if ((await findById(store.read, projectId, id)) === undefined) missing(id)
      await eraseMostOf(projectId, async () => [id])
      if (!(await store.write(projectId, (unit) => removeIn(unit, projectId, id)))) missing(id)
    },

    /** Which of the given addresses belong to contacts; an invalid one belongs to none (contract A5.6). */
    async lookUp(projectId: string, given: readonly string[]): Promise<Lookup> {
      const asked = given.map((text) => ({ text, email: parseAddress(text) }))
      const known = await findAddresses(
        store.read,
        projectId,
        asked.flatMap(({ email }) => email ?? []),
      )
      const is = (wanted: boolean) =>
        asked.filter(({ email }) => (email !== undefined && known.has(email)) === wanted).map(({ text }) => text)
      return { found: is(true), notFound: is(false) }
    },
  }
}

/** What routes, commands and higher modules call. */
export interface Contacts extends ReturnType<typeof createContactActions>, MergeActions {
  readonly list: ContactList
  readonly fields: FieldActions
}

function missing(id: string): never {
  throw notFound("Contact", id)
}
