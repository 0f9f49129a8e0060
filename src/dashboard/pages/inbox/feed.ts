import {
  type QueryClient,
  type QueryKey,
  skipToken,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query"
import { useCallback, useEffect, useMemo, useState } from "react"
import { getEmail, listEmails } from "../../api.ts"
import { useSession } from "../../shell/session.tsx"
import { count } from "../../ui/format.ts"
import type { EmailRecord, EmailStatus, LiveChange } from "../../wire.ts"
import { followLive, type LiveState } from "./live.ts"
import { type EmailPages, mergeNewest, withEmail, withoutEmail } from "./merge.ts"
import { useReadMarks } from "./use-read-marks.ts"

export interface Filter {
  readonly search: string
  readonly status: EmailStatus | null
}

export const everything: Filter = { search: "", status: null }
export const isFiltered = ({ search, status }: Filter): boolean => search !== "" || status !== null

const pageSize = 50
const listKey = (projectId: string, filter?: Filter): QueryKey =>
  filter ? ["emails", projectId, filter] : ["emails", projectId]
const emailKey = (projectId: string, id: string): QueryKey => ["email", projectId, id]

/** The list under a filter, page after page. Kept current by `useLiveFeed`, so it never goes stale by itself. */
export function useEmails(filter: Filter) {
  const projectId = useSession().project.id
  const query = useInfiniteQuery({
    queryKey: listKey(projectId, filter),
    queryFn: ({ pageParam, signal }) =>
      listEmails(projectId, { ...filter, limit: pageSize, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last.hasMore ? last.cursor : undefined),
    placeholderData: (before, of) => (of?.queryKey[1] === projectId ? before : undefined),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const emails = useMemo(() => query.data?.pages.flatMap(({ data }) => data) ?? [], [query.data])
  return { query, emails, total: query.data?.pages[0]?.total ?? 0 }
}

/** One mail with its content; what the list knows of it is there at once as `record`. */
export function useEmail(id: string | undefined) {
  const projectId = useSession().project.id
  const client = useQueryClient()
  const query = useQuery({
    queryKey: emailKey(projectId, id ?? ""),
    queryFn: id ? ({ signal }) => getEmail(projectId, id, signal) : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
  const listed = () =>
    loadedLists(client, projectId)
      .flatMap(recordsOf)
      .find((email) => email.id === id)
  return { query, email: query.data, record: query.data ?? listed() }
}

/** How many loaded mails are unread; `text` ends in `+` when there may be more that are not loaded. */
export function useUnreadCount(): { count: number; text: string } {
  const marks = useReadMarks(useSession().project.id)
  const { query, emails } = useEmails(everything)
  const unread = emails.filter(({ id }) => marks.isUnread(id)).length
  const more = query.hasNextPage && unread === emails.length
  return { count: unread, text: more ? `${unread}+` : String(unread) }
}

/** Keeps every list of the project and the open mail current, and says what arrived. */
export function useLiveFeed(): { state: LiveState; arrival: string; refresh(): Promise<void> } {
  const projectId = useSession().project.id
  const client = useQueryClient()
  const [state, setState] = useState<LiveState>("connecting")
  const [arrival, setArrival] = useState("")

  const catchUp = useCallback(
    async (changes: readonly LiveChange[] | null) => {
      const all = () => client.getQueryData<EmailPages>(listKey(projectId, everything))
      const before = all()
      const known = new Set(before && recordsOf(before).map(({ id }) => id))
      await applyChanges(client, projectId, changes)
      const after = all()
      const arrived = after ? recordsOf(after).filter(({ id }) => !known.has(id)) : []
      if (before && changes && arrived.length > 0) setArrival(describe(arrived))
    },
    [client, projectId],
  )
  useEffect(() => {
    const heard = (now: LiveState) => {
      setState(now)
      // a stream that ends may mean a server that started anew, with other projects
      if (now === "lost") void client.invalidateQueries({ queryKey: ["projects"] })
    }
    return followLive(projectId, { state: heard, catchUp })
  }, [client, projectId, catchUp])
  return { state, arrival, refresh: () => catchUp(null) }
}

function describe(arrived: readonly EmailRecord[]): string {
  const [only] = arrived
  return arrived.length === 1 && only
    ? `New mail from ${only.fromName || only.from}: ${only.subject}`
    : `${count(arrived.length, "new mail")}`
}

async function applyChanges(client: QueryClient, projectId: string, changes: readonly LiveChange[] | null) {
  for (const { id, change } of changes ?? []) {
    if (change !== "deleted") continue
    forgetEmail(client, projectId, id)
    await client.invalidateQueries({ queryKey: emailKey(projectId, id), refetchType: "active" })
  }
  if (!changes || changes.some(({ change }) => change === "cleared")) {
    await client.invalidateQueries({ queryKey: ["email", projectId], refetchType: "active" })
  }
  const fresh = await refreshNewest(client, projectId)
  const updated = new Set(changes?.filter(({ change }) => change === "updated").map(({ id }) => id))
  await Promise.all([...updated].map((id) => refreshOne(client, projectId, id, fresh)))
}

/** Reads the first page of every list in use again; returns the ids that are thereby current. */
async function refreshNewest(client: QueryClient, projectId: string): Promise<ReadonlySet<string>> {
  const queries = client.getQueryCache().findAll({ queryKey: listKey(projectId) })
  const current = new Set<string>()
  for (const query of queries) {
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

async function refreshOne(client: QueryClient, projectId: string, id: string, fresh: ReadonlySet<string>) {
  const open = client.getQueryCache().find({ queryKey: emailKey(projectId, id) })
  const listed = allRecords(client, projectId).some((email) => email.id === id)
  if (!open && (fresh.has(id) || !listed)) return
  if (open && !open.isActive()) client.removeQueries({ queryKey: open.queryKey, exact: true })
  const email = await getEmail(projectId, id).catch(() => undefined)
  if (!email) return
  if (open?.isActive()) client.setQueryData(open.queryKey, email)
  client.setQueriesData<EmailPages>({ queryKey: listKey(projectId) }, (loaded) => loaded && withEmail(loaded, email))
}

/** Takes a mail out of every list at once, before or because the server did. */
export function forgetEmail(client: QueryClient, projectId: string, id: string): void {
  client.setQueriesData<EmailPages>({ queryKey: listKey(projectId) }, (loaded) => loaded && withoutEmail(loaded, id))
}

export function forgetAllEmails(client: QueryClient, projectId: string): void {
  const empty: EmailPages = { pages: [{ data: [], hasMore: false, total: 0 }], pageParams: [undefined] }
  client.setQueriesData<EmailPages>({ queryKey: listKey(projectId) }, empty)
}

const loadedLists = (client: QueryClient, projectId: string): EmailPages[] =>
  client.getQueriesData<EmailPages>({ queryKey: listKey(projectId) }).flatMap(([, data]) => data ?? [])

const recordsOf = (list: EmailPages): EmailRecord[] => list.pages.flatMap(({ data }) => [...data])

const allRecords = (client: QueryClient, projectId: string): EmailRecord[] =>
  loadedLists(client, projectId).flatMap(recordsOf)
