import type { inboxMailSchema, inboxRowSchema, unreadSchema } from "../../modules/inbox/index.ts"
import type { EmailStatus } from "./emails.ts"
import { queryString, read } from "./http.ts"
import { type CursorPage, valuesOf, type Wire } from "./types.ts"

/** A message of the inbox, or a campaign represented by its first mail (contract A4.6). */
export type InboxRow = Wire<typeof inboxRowSchema>
/** A message with its content, and the previous and next row. */
export type InboxMail = Wire<typeof inboxMailSchema>
export type InboxPage = CursorPage<InboxRow>
export type Source = InboxRow["source"]
type Unread = Wire<typeof unreadSchema>

export const sources = valuesOf<Source>({ INBOUND: true, API: true, SMTP: true, CAMPAIGN: true, WORKFLOW: true })

interface InboxQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly search: string
  readonly status: EmailStatus | null
  readonly source: Source | null
}

export const listInbox = (projectId: string, query: InboxQuery, signal?: AbortSignal): Promise<InboxPage> =>
  read(`/inbox${queryString({ ...query })}`, { projectId, signal })

export const getMail = (projectId: string, id: string, signal?: AbortSignal): Promise<InboxMail> =>
  read(`/inbox/${encodeURIComponent(id)}`, { projectId, signal })

export const countUnread = async (projectId: string, signal?: AbortSignal): Promise<number> =>
  (await read<Unread>("/inbox/unread", { projectId, signal })).unread

/** Resolves to the number of unread mails afterwards. */
export const markMail = async (projectId: string, id: string, isRead: boolean): Promise<number> =>
  (await read<Unread>("/inbox/marks", { method: "POST", projectId, body: { id, read: isRead } })).unread

/** Marks everything up to a mail as read. */
export const markAllRead = async (projectId: string, upTo: string): Promise<number> =>
  (await read<Unread>("/inbox/read", { method: "POST", projectId, body: { upTo } })).unread
