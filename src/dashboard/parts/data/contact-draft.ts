import { notifications } from "@mantine/notifications"
import { type Contact, changeContact, findContact, getContact, saveContact } from "../../api/contacts.ts"
import { noRefusal, reasonOf } from "../../api/refusal.ts"
import type { Data } from "../../api/types.ts"
import { cacheContact, refetchContactLists, refetchContacts } from "../../queries/contacts.ts"
import type { DraftKind } from "../draft/use-draft.ts"
import { type Draft, draftsOf, readDrafts } from "./draft.ts"
import { readJson } from "./json-text.ts"
import { isContested, patchFor, withPatch } from "./patch.ts"

/** The edited data of a contact. */
interface DataContent {
  readonly drafts: readonly Draft[]
  /** The text of the JSON view. The drafts are updated whenever it is valid. */
  readonly json: { readonly text: string; readonly fault: string | null } | null
}

export function withJson({ drafts }: DataContent, text: string): DataContent {
  const reading = readJson(text)
  return "data" in reading
    ? { drafts: draftsOf(reading.data, drafts), json: { text, fault: null } }
    : { drafts, json: { text, fault: reading.fault } }
}

/** The edited data; null while a part of it is invalid. */
export function dataOf({ drafts, json }: DataContent): Data | null {
  const { data, faults } = readDrafts(drafts)
  return (json?.fault ?? null) === null && faults.size === 0 ? data : null
}

/** Only differences from the base are saved, so that changes by others stay. */
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
  // invalid parts are marked while typing
  lacks: (content) => (dataOf(content) === null ? noRefusal : null),
  load: getContact,
  isContested: (base, stored, content) => isContested(base.data, stored.data, patchOf(content, base)),
  save: (projectId, content, { id }, base) => changeContact(projectId, id, { data: patchOf(content, base) }),
  baseAfter: (base, _saved, sent) => ({ ...base, data: withPatch(base.data, patchOf(sent, base)) }),
  async createAgain(projectId, content, { email, subscribed }) {
    // a contact that was created again meanwhile keeps its subscription
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
