import { describe, expect, test } from "bun:test"
import type { InboxPage, InboxRow } from "../../src/dashboard/api/inbox.ts"
import { type MailPages, mergeNewest, withoutMail } from "../../src/dashboard/parts/mail-feed/merge.ts"
import { emailExample } from "../../src/modules/emails/index.ts"

const record = (n: number): InboxRow => ({
  ...emailExample,
  id: `0199c0de-0000-7000-8000-${String(n).padStart(12, "0")}`,
  subject: `Mail ${n}`,
  createdAt: new Date(Date.UTC(2026, 0, 31) + n).toISOString(),
  source: "API",
  unread: true,
  snippet: null,
  attachmentCount: 0,
  recipients: [],
  campaign: null,
})

const page = (numbers: readonly number[], hasMore: boolean, total = 100): InboxPage => ({
  data: numbers.map(record),
  hasMore,
  total,
  ...(hasMore ? { cursor: `after-${numbers.at(-1)}` } : {}),
})
const pages = (...list: InboxPage[]): MailPages => ({ pages: list, pageParams: list.map(() => undefined) })
const subjects = (list: MailPages) => list.pages.flatMap(({ data }) => data.map(({ subject }) => subject.slice(5)))

describe("a newly read first page", () => {
  test("is the whole list when nothing was loaded, or when it has no next page", () => {
    expect(subjects(mergeNewest(undefined, page([3, 2], true)))).toEqual(["3", "2"])
    expect(subjects(mergeNewest(pages(page([9, 8], true), page([7, 6], false)), page([3, 2], false)))).toEqual([
      "3",
      "2",
    ])
  })

  test("precedes the loaded pages, which keep their older mail and the cursor", () => {
    const merged = mergeNewest(pages(page([5, 4], true), page([3, 2], true, 0)), page([6, 5], true, 101))
    expect(subjects(merged)).toEqual(["6", "5", "4", "3", "2"])
    expect(merged.pages.at(-1)?.cursor).toBe("after-2")
    expect(merged.pages[0]?.total).toBe(101)
  })

  test("replaces its own range: mail missing from it is removed", () => {
    expect(subjects(mergeNewest(pages(page([6, 5, 4, 3], true)), page([6, 4], true)))).toEqual(["6", "4", "3"])
  })

  test("drops the rest when there may be a gap between the two", () => {
    expect(subjects(mergeNewest(pages(page([5, 4], true)), page([9, 8], true)))).toEqual(["9", "8"])
  })
})

test("removing a mail lowers the total by one, at any position", () => {
  const list = withoutMail(pages(page([5, 4], true), page([3, 2], false, 0)), record(3).id)
  expect(subjects(list)).toEqual(["5", "4", "2"])
  expect(list.pages[0]?.total).toBe(99)
  expect(withoutMail(list, record(3).id).pages[0]?.total).toBe(99)
})
