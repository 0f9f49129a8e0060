import { notifications } from "@mantine/notifications"
import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query"
import { useCallback, useEffect, useMemo, useState } from "react"
import type { LiveChange } from "../../api/emails.ts"
import { countUnread, getMail, type InboxRow, listInbox } from "../../api/inbox.ts"
import { reasonOf } from "../../api/refusal.ts"
import { useHidden } from "../../context/deletions.ts"
import { useSession } from "../../context/session.ts"
import { refetchNewest } from "../../queries/activity.ts"
import { usePages } from "../../queries/pages.ts"
import { useSessionHasEnded } from "../../queries/session.ts"
import { count } from "../../ui/format.ts"
import {
  applyChanges,
  emailKey,
  everything,
  type Filter,
  findListed,
  listKey,
  pageSize,
  recordsOf,
  unreadKey,
} from "./cache.ts"
import { followLive, type LiveState } from "./live.ts"
import type { MailPages } from "./merge.ts"

/** The list under a filter, page after page. Kept current by `useLiveFeed`, so it never becomes stale by time. */
export function useEmails(filter: Filter) {
  const projectId = useSession().project.id
  const { query, rows, total } = usePages({
    queryKey: listKey(projectId, filter),
    load: (cursor, signal) => listInbox(projectId, { ...filter, limit: pageSize, cursor }, signal),
    placeholderData: (before, of) => (of?.queryKey[1] === projectId ? before : undefined),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const hidden = useHidden()
  const emails = useMemo(() => rows.filter(({ id }) => !hidden.has(id)), [rows, hidden])
  return { query, emails, total: total - (rows.length - emails.length) }
}

/** One mail with its content; `record` is its list entry, available at once. */
export function useEmail(id: string | undefined) {
  const projectId = useSession().project.id
  const client = useQueryClient()
  const query = useQuery({
    queryKey: emailKey(projectId, id ?? ""),
    queryFn: id ? ({ signal }) => getMail(projectId, id, signal) : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
  return { query, email: query.data, record: query.data ?? findListed(client, projectId, id) }
}

/** The server's count of unread messages of the project; 0 until it is loaded. */
export function useUnreadCount(): number {
  const projectId = useSession().project.id
  const { data } = useQuery({
    queryKey: unreadKey(projectId),
    queryFn: ({ signal }) => countUnread(projectId, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data ?? 0
}

export interface LiveFeed {
  readonly state: LiveState
  /** The last arrival, in words for screen readers. */
  readonly arrival: string
  refresh(): void
}

/** Keeps every list of the project and the open mail current. */
export function useFollowedFeed(): LiveFeed {
  const projectId = useSession().project.id
  const client = useQueryClient()
  const hasEnded = useSessionHasEnded()
  const [state, setState] = useState<LiveState>("connecting")
  const [arrival, setArrival] = useState("")

  const catchUp = useCallback(
    async (changes: readonly LiveChange[] | null) => {
      const all = () => client.getQueryData<MailPages>(listKey(projectId, everything))
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
      // the server may have restarted with other projects, or in another version
      if (now === "lost") for (const key of ["projects", "config"]) void client.invalidateQueries({ queryKey: [key] })
    }
    const activity = () => refetchNewest(client, projectId)
    // the server closes the stream of a session that has ended, and would not open another
    if (hasEnded) return setState("connecting")
    return followLive(projectId, { state: heard, catchUp, activity })
  }, [client, projectId, catchUp, hasEnded])
  const refresh = () =>
    catchUp(null).catch((cause: unknown) =>
      notifications.show({ color: "red", title: "Not refreshed", message: reasonOf(cause) }),
    )
  return { state, arrival, refresh }
}

function describe(arrived: readonly InboxRow[]): string {
  const [only] = arrived
  return arrived.length === 1 && only
    ? `New mail from ${only.fromName || only.from}: ${only.subject}`
    : `${count(arrived.length, "new mail")}`
}
