import type { QueryClient, QueryKey } from "@tanstack/react-query"
import type { EmailStatus, LiveChange } from "../../api/emails.ts"
import { getMail, type InboxRow, listInbox, type Source } from "../../api/inbox.ts"
import { type MailPages, mergeNewest, withMail, withoutMail, withRows } from "./merge.ts"

export interface Filter {
  readonly search: string
  readonly status: EmailStatus | null
  readonly source: Source | null
}

export const everything: Filter = { search: "", status: null, source: null }
export const isFiltered = ({ search, status, source }: Filter): boolean =>
  search !== "" || status !== null || source !== null

export const pageSize = 50
export const listKey = (projectId: string, filter?: Filter): QueryKey =>
  filter ? ["emails", projectId, filter] : ["emails", projectId]
export const unreadKey = (projectId: string): QueryKey => ["unread", projectId]
export const emailKey = (projectId: string, id: string): QueryKey => ["email", projectId, id]

export const recordsOf = (list: MailPages): InboxRow[] => list.pages.flatMap(({ data }) => [...data])

export const findListed = (client: QueryClient, projectId: string, id: string | undefined): InboxRow | undefined =>
  allRecords(client, projectId).find((email) => email.id === id)

/** If more mails than this changed outside the first pages, the lists are refetched instead of single mails. */
const readOneByOne = 20

/** Updates the lists and the open mail. Null means that changes were missed. */
export async function applyChanges(client: QueryClient, projectId: string, changes: readonly LiveChange[] | null) {
  void client.invalidateQueries({ queryKey: unreadKey(projectId) })
  const deleted = idsOf(changes, "deleted")
  const isLeft = allRecords(client, projectId).some((row) => deleted.has(row.id) && standsForOthers(row))
  for (const id of deleted) dropEmail(client, projectId, id)
  if (!changes || changes.some(({ change }) => change === "cleared")) {
    await client.invalidateQueries({ queryKey: ["email", projectId] })
  } else {
    for (const id of deleted) await client.invalidateQueries({ queryKey: emailKey(projectId, id) })
  }
  const fresh = await refreshNewest(client, projectId)
  // without an id: all are marked
  if (isLeft || changes?.some(({ change, id }) => change === "marked" && id === ""))
    return client.invalidateQueries({ queryKey: listKey(projectId) })
  await refreshUpdated(client, projectId, idsOf(changes, "updated", "marked"), fresh)
}

/** The row of a campaign, or of a message to several people, goes on with the next mail when its first one is deleted. */
const standsForOthers = ({ campaign, recipients }: InboxRow): boolean => campaign !== null || recipients.length > 0

const idsOf = (changes: readonly LiveChange[] | null, ...kinds: LiveChange["change"][]): ReadonlySet<string> =>
  new Set(changes?.filter(({ change }) => kinds.includes(change)).map(({ id }) => id))

/** Reads the first page of every list in use again; returns the ids of the mails on them. */
async function refreshNewest(client: QueryClient, projectId: string): Promise<ReadonlySet<string>> {
  const current = new Set<string>()
  for (const query of client.getQueryCache().findAll({ queryKey: listKey(projectId) })) {
    if (!query.isActive()) {
      client.removeQueries({ queryKey: query.queryKey, exact: true })
      continue
    }
    const filter = query.queryKey[2] as Filter
    const fresh = await listInbox(projectId, { ...filter, limit: pageSize })
    for (const { id } of fresh.data) current.add(id)
    client.setQueryData<MailPages>(query.queryKey, (loaded) => mergeNewest(loaded, fresh))
  }
  return current
}

/** Reads changed mails again that are loaded but not on the first pages, and the open one. */
async function refreshUpdated(
  client: QueryClient,
  projectId: string,
  updated: ReadonlySet<string>,
  fresh: ReadonlySet<string>,
) {
  for (const id of updated) await client.invalidateQueries({ queryKey: emailKey(projectId, id) })
  const below = allRecords(client, projectId).filter(
    ({ id, recipients }) => !fresh.has(id) && (updated.has(id) || recipients.some((one) => updated.has(one.id))),
  )
  if (below.length > readOneByOne) return client.invalidateQueries({ queryKey: listKey(projectId) })
  for (const { id } of below) {
    const email = await getMail(projectId, id).catch(() => undefined)
    if (email) editLists(client, projectId, (list) => withMail(list, email))
  }
}

/** Removes a mail from every list, before or after the server did. */
export const dropEmail = (client: QueryClient, projectId: string, id: string): void =>
  editLists(client, projectId, (list) => withoutMail(list, id))

export const dropAllEmails = (client: QueryClient, projectId: string): void =>
  editLists(client, projectId, () => ({
    pages: [{ data: [], hasMore: false, total: 0 }],
    pageParams: [undefined],
  }))

/** Changes rows in every list at once. */
export const editRows = (client: QueryClient, projectId: string, edit: (row: InboxRow) => InboxRow): void =>
  editLists(client, projectId, (list) => withRows(list, edit))

function editLists(client: QueryClient, projectId: string, edit: (list: MailPages) => MailPages): void {
  client.setQueriesData<MailPages>({ queryKey: listKey(projectId) }, (list) => list && edit(list))
}

/** The records of all loaded lists; one in several lists is repeated. */
const allRecords = (client: QueryClient, projectId: string): InboxRow[] =>
  client
    .getQueriesData<MailPages>({ queryKey: listKey(projectId) })
    .flatMap(([, list]) => (list ? recordsOf(list) : []))
