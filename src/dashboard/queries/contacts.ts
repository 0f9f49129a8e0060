import { type QueryClient, type QueryKey, skipToken, useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import type { Contact } from "../api/contacts.ts"
import { type ContactView, getContact, listContacts, listFields } from "../api/contacts.ts"
import type { CursorPage } from "../api/types.ts"
import { useHidden } from "../context/deletions.ts"
import { useSession } from "../context/session.ts"
import { type Pages, usePages } from "./pages.ts"

const pageSize = 50
/** With more loaded pages the list is refetched only on request. */
const readAgain = 3

const listKey = (projectId: string): QueryKey => ["contacts", projectId]
const contactKey = (projectId: string, id: string): QueryKey => ["contact", projectId, id]
const fieldsKey = (projectId: string): QueryKey => ["fields", projectId]

/** The contacts of a view, page after page. */
export function useContacts(view: ContactView) {
  const projectId = useSession().project.id
  const { query, rows, total } = usePages({
    queryKey: [...listKey(projectId), view],
    load: (cursor, signal) => listContacts(projectId, { ...view, limit: pageSize, cursor }, signal),
    placeholderData: (before) => before,
    staleTime: 10_000,
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= readAgain,
  })
  const hidden = useHidden()
  const contacts = useMemo(() => rows.filter(({ id }) => !hidden.has(id)), [rows, hidden])
  return { query, contacts, total: total - (rows.length - contacts.length) }
}

/** One contact, if there is an id; its list entry is shown until it is loaded. */
export function useContact(id: string | undefined, listed: Contact | undefined) {
  const projectId = useSession().project.id
  return useQuery({
    queryKey: contactKey(projectId, id ?? ""),
    queryFn: id ? ({ signal }) => getContact(projectId, id, signal) : skipToken,
    ...(listed ? { placeholderData: listed } : {}),
    staleTime: 5_000,
  })
}

/** The field catalogue (contract A5.7). */
export function useFields() {
  const projectId = useSession().project.id
  return useQuery({
    queryKey: fieldsKey(projectId),
    queryFn: ({ signal }) => listFields(projectId, signal),
    staleTime: 15_000,
  })
}

/** The number of contacts, if `wanted`; undefined until it is known. */
export function useTotal(wanted: boolean): number | undefined {
  const projectId = useSession().project.id
  const everyone = { search: "", subscribed: null, sort: "createdAt", dir: "desc", limit: 1 } as const
  const { data } = useQuery({
    queryKey: ["contact-count", projectId],
    queryFn: ({ signal }) => listContacts(projectId, everyone, signal),
    enabled: wanted,
  })
  return data?.total
}

/** Puts the stored contact into every list that shows it. */
export function cacheContact(client: QueryClient, projectId: string, contact: Contact): void {
  client.setQueryData(contactKey(projectId, contact.id), contact)
  editPages(client, projectId, (page) => ({
    ...page,
    data: page.data.map((known) => (known.id === contact.id ? contact : known)),
  }))
}

/** Removes a contact from every list. */
export function dropContact(client: QueryClient, projectId: string, id: string): void {
  editPages(client, projectId, (page, all) => {
    const isListed = all.some(({ data }) => data.some((known) => known.id === id))
    const total = page.total > 0 && isListed ? page.total - 1 : page.total
    return { ...page, total, data: page.data.filter((known) => known.id !== id) }
  })
}

/** After a change of a known contact: other contacts and fields may have been created or deleted. */
export async function refetchContactLists(client: QueryClient, projectId: string): Promise<void> {
  const keys = [listKey(projectId), fieldsKey(projectId)]
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
}

/** After changes that are not known individually. */
export async function refetchContacts(client: QueryClient, projectId: string): Promise<void> {
  await Promise.all([
    refetchContactLists(client, projectId),
    client.invalidateQueries({ queryKey: ["contact", projectId] }),
  ])
}

function editPages(
  client: QueryClient,
  projectId: string,
  edit: (page: CursorPage<Contact>, all: readonly CursorPage<Contact>[]) => CursorPage<Contact>,
): void {
  client.setQueriesData<Pages<Contact>>({ queryKey: listKey(projectId) }, (list) =>
    list ? { ...list, pages: list.pages.map((page) => edit(page, list.pages)) } : list,
  )
}
