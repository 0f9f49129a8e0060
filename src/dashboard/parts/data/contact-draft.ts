import { notifications } from "@mantine/notifications"
import { type Contact, changeContact, findContact, getContact, saveContact } from "../../api/contacts.ts"
import { noRefusal, reasonOf } from "../../api/refusal.ts"
import type { Data } from "../../api/types.ts"
import { cacheContact, refetchContactLists, refetchContacts } from "../../queries/contacts.ts"
import type { DraftKind } from "../draft/use-draft.ts"
import { type Draft, draftsOf, readDrafts } from "./draft.ts"
import { readJson } from "./json-text.ts"
import { isContested, patchFor, withPatch } from "./patch.ts"

/** What is edited of the data of a contact. */
export interface DataContent {
  readonly drafts: readonly Draft[]
  /** What is written in the JSON view. The drafts follow it whenever it can be read. */
  readonly json: { readonly text: string; readonly fault: string | null } | null
}

export function withJson({ drafts }: DataContent, text: string): DataContent {
  const reading = readJson(text)
  return "data" in reading
    ? { drafts: draftsOf(reading.data, drafts), json: { text, fault: null } }
    : { drafts, json: { text, fault: reading.fault } }
}

/** The edited data; null while a part of it is not valid. */
export function dataOf({ drafts, json }: DataContent): Data | null {
  const { data, faults } = readDrafts(drafts)
  return (json?.fault ?? null) === null && faults.size === 0 ? data : null
}

/** Only what differs from the base is saved, so that what others add meanwhile stays. */
function patchOf(content: DataContent, base: Contact): Data {
  const data = dataOf(content)
  return (data && patchFor(base.data, data)) ?? {}
}

export const contactKind: DraftKind<Contact, DataContent, Contact> = {
  noun: "contact",
  pathOf: ({ id }) => `/contacts/${id}`,
  contentOf: ({ data }, before) => ({ drafts: draftsOf(data, before?.drafts), json: null }),
  isChanged(content, base) {
    const data = dataOf(content)
    return data === null || patchFor(base.data, data) !== null
  },
  // what is not valid is pointed at while it is typed
  lacks: (content) => (dataOf(content) === null ? noRefusal : null),
  load: getContact,
  isContested: (base, stored, content) => isContested(base.data, stored.data, patchOf(content, base)),
  save: (projectId, content, { id }, base) => changeContact(projectId, id, { data: patchOf(content, base) }),
  baseAfter: (base, _saved, sent) => ({ ...base, data: withPatch(base.data, patchOf(sent, base)) }),
  async createAgain(projectId, content, { email, subscribed }) {
    // one that came back meanwhile has chosen for itself
    const isBack = (await findContact(projectId, email)) !== undefined
    const contact = { email, data: dataOf(content) ?? {}, ...(isBack ? {} : { subscribed }) }
    const { _meta, ...created } = await saveContact(projectId, contact)
    return created
  },
  cache(client, projectId, contact) {
    cacheContact(client, projectId, contact)
    void refetchContactLists(client, projectId)
  },
  missing: (client, projectId) => void refetchContacts(client, projectId),
  refusalOf(cause) {
    notifications.show({ color: "red", title: "Not saved", message: reasonOf(cause) })
    return noRefusal
  },
}
