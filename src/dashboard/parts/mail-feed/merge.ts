import type { InfiniteData } from "@tanstack/react-query"
import type { InboxPage, InboxRow } from "../../api/inbox.ts"

export type MailPages = InfiniteData<InboxPage, string | undefined>

/** Newest first; with equal times the greater id first, as the server sorts. */
const isOlder = (a: InboxRow, b: InboxRow): boolean =>
  a.createdAt === b.createdAt ? a.id < b.id : a.createdAt < b.createdAt

/**
 * Merges a newly read first page into the loaded pages and keeps the rest of them. The page replaces its own range of
 * the list; when it does not reach the loaded rows, there may be a gap and the rest is dropped.
 */
export function mergeNewest(loaded: MailPages | undefined, fresh: InboxPage): MailPages {
  const alone: MailPages = { pages: [fresh], pageParams: [undefined] }
  const oldest = fresh.data.at(-1)
  const last = loaded?.pages.at(-1)
  if (!loaded || !last || !oldest || !fresh.hasMore) return alone
  const known = loaded.pages.flatMap(({ data }) => data)
  const ids = new Set(fresh.data.map(({ id }) => id))
  const rest = known.filter((email) => !ids.has(email.id) && isOlder(email, oldest))
  if (rest.length === 0 || !known.some(({ id }) => ids.has(id))) return alone
  return { pages: [fresh, { ...last, data: rest, total: 0 }], pageParams: [undefined, fresh.cursor] }
}

export const withoutMail = (loaded: MailPages, id: string): MailPages =>
  editPages(loaded, (data) => data.filter((email) => email.id !== id))

/** A single mail lacks the campaign of its row, which is kept. */
export const withMail = (loaded: MailPages, changed: InboxRow): MailPages =>
  withRows(loaded, (row) => (row.id === changed.id ? { ...changed, campaign: row.campaign } : row))

export const withRows = (loaded: MailPages, edit: (row: InboxRow) => InboxRow): MailPages =>
  editPages(loaded, (data) => data.map(edit))

function editPages(loaded: MailPages, edit: (data: readonly InboxRow[]) => readonly InboxRow[]): MailPages {
  let gone = 0
  const pages = loaded.pages.map((page) => {
    const data = edit(page.data)
    gone += page.data.length - data.length
    return { ...page, data }
  })
  const [first, ...others] = pages
  return first ? { ...loaded, pages: [{ ...first, total: Math.max(0, first.total - gone) }, ...others] } : loaded
}
