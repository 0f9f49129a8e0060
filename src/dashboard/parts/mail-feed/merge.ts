import type { InfiniteData } from "@tanstack/react-query"
import type { EmailPage, EmailRecord } from "../../api/emails.ts"

export type EmailPages = InfiniteData<EmailPage, string | undefined>

/** Newest first; of the same moment the later id first, as the server sorts. */
const isOlder = (a: EmailRecord, b: EmailRecord): boolean =>
  a.createdAt === b.createdAt ? a.id < b.id : a.createdAt < b.createdAt

/**
 * Puts a newly read first page in front of what is loaded, without losing how far the reader scrolled. The page is right
 * about its own stretch of the list; when it does not reach what was loaded, there may be a gap and the rest is dropped.
 */
export function mergeNewest(loaded: EmailPages | undefined, fresh: EmailPage): EmailPages {
  const alone: EmailPages = { pages: [fresh], pageParams: [undefined] }
  const oldest = fresh.data.at(-1)
  const last = loaded?.pages.at(-1)
  if (!loaded || !last || !oldest || !fresh.hasMore) return alone
  const known = loaded.pages.flatMap(({ data }) => data)
  const ids = new Set(fresh.data.map(({ id }) => id))
  const rest = known.filter((email) => !ids.has(email.id) && isOlder(email, oldest))
  if (rest.length === 0 || !known.some(({ id }) => ids.has(id))) return alone
  return { pages: [fresh, { ...last, data: rest, total: 0 }], pageParams: [undefined, fresh.cursor] }
}

export const withoutEmail = (loaded: EmailPages, id: string): EmailPages =>
  editPages(loaded, (data) => data.filter((email) => email.id !== id))

export const withEmail = (loaded: EmailPages, changed: EmailRecord): EmailPages =>
  editPages(loaded, (data) => data.map((email) => (email.id === changed.id ? changed : email)))

function editPages(loaded: EmailPages, edit: (data: readonly EmailRecord[]) => readonly EmailRecord[]): EmailPages {
  let gone = 0
  const pages = loaded.pages.map((page) => {
    const data = edit(page.data)
    gone += page.data.length - data.length
    return { ...page, data }
  })
  const [first, ...others] = pages
  return first ? { ...loaded, pages: [{ ...first, total: Math.max(0, first.total - gone) }, ...others] } : loaded
}
