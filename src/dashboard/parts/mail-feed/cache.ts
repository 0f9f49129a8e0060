import type { QueryClient, QueryKey } from "@tanstack/react-query"
import type { EmailRecord, EmailStatus, LiveChange } from "../../api/emails.ts"
import { getEmail, listEmails } from "../../api/emails.ts"
import { type EmailPages, mergeNewest, withEmail, withoutEmail } from "./merge.ts"

export interface Filter {
  readonly search: string
  readonly status: EmailStatus | null
}

export const everything: Filter = { search: "", status: null }
export const isFiltered = ({ search, status }: Filter): boolean => search !== "" || status !== null

export const pageSize = 50
export const listKey = (projectId: string, filter?: Filter): QueryKey =>
  filter ? ["emails", projectId, filter] : ["emails", projectId]
export const emailKey = (projectId: string, id: string): QueryKey => ["email", projectId, id]

export const recordsOf = (list: EmailPages): EmailRecord[] => list.pages.flatMap(({ data }) => [...data])

export const findListed = (client: QueryClient, projectId: string, id: string | undefined): EmailRecord | undefined =>
  allRecords(client, projectId).find((email) => email.id === id)

/** If more unlisted mails than this changed, the lists are refetched instead of the mails one by one. */
const readOneByOne = 20

/** Brings the lists and the open mail up to date. Null means that changes were missed. */
export async function applyChanges(client: QueryClient, projectId: string, changes: readonly LiveChange[] | null) {
  const deleted = idsOf(changes, "deleted")
  for (const id of deleted) dropEmail(client, projectId, id)
  if (!changes || changes.some(({ change }) => change === "cleared")) {
    await client.invalidateQueries({ queryKey: ["email", projectId] })
  } else {
    for (const id of deleted) await client.invalidateQueries({ queryKey: emailKey(projectId, id) })
  }
  const fresh = await refreshNewest(client, projectId)
  await refreshUpdated(client, projectId, idsOf(changes, "updated"), fresh)
}

const idsOf = (changes: readonly LiveChange[] | null, kind: LiveChange["change"]): ReadonlySet<string> =>
  new Set(changes?.filter(({ change }) => change === kind).map(({ id }) => id))

/** Reads the first page of every list in use again; returns the ids that are thereby current. */
async function refreshNewest(client: QueryClient, projectId: string): Promise<ReadonlySet<string>> {
  const current = new Set<string>()
  for (const query of client.getQueryCache().findAll({ queryKey: listKey(projectId) })) {
    if (!query.isActive()) {
      client.removeQueries({ queryKey: query.queryKey, exact: true })
      continue
    }
    const filter = query.queryKey[2] as Filter
    const fresh = await listEmails(projectId, { ...filter, limit: pageSize })
    for (const { id } of fresh.data) current.add(id)
    client.setQueryData<EmailPages>(query.queryKey, (loaded) => mergeNewest(loaded, fresh))
  }
  return current
}

/** Reads again what changed and is loaded, but not by the first pages: mail further down, and the open one. */
async function refreshUpdated(
  client: QueryClient,
  projectId: string,
  updated: ReadonlySet<string>,
  fresh: ReadonlySet<string>,
) {
  for (const id of updated) await client.invalidateQueries({ queryKey: emailKey(projectId, id) })
  const below = allRecords(client, projectId).filter(({ id }) => updated.has(id) && !fresh.has(id))
  if (below.length > readOneByOne) return client.invalidateQueries({ queryKey: listKey(projectId) })
  for (const { id } of below) {
    const email = await getEmail(projectId, id).catch(() => undefined)
    if (email) editLists(client, projectId, (list) => withEmail(list, email))
  }
}

/** Takes a mail out of every list at once, before or because the server did. */
export const dropEmail = (client: QueryClient, projectId: string, id: string): void =>
  editLists(client, projectId, (list) => withoutEmail(list, id))

export const dropAllEmails = (client: QueryClient, projectId: string): void =>
  editLists(client, projectId, () => ({
    pages: [{ data: [], hasMore: false, total: 0 }],
    pageParams: [undefined],
  }))

function editLists(client: QueryClient, projectId: string, edit: (list: EmailPages) => EmailPages): void {
  client.setQueriesData<EmailPages>({ queryKey: listKey(projectId) }, (list) => list && edit(list))
}

/** The records of all loaded lists; one that is in several of them comes several times. */
const allRecords = (client: QueryClient, projectId: string): EmailRecord[] =>
  client
    .getQueriesData<EmailPages>({ queryKey: listKey(projectId) })
    .flatMap(([, list]) => (list ? recordsOf(list) : []))
