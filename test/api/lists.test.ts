import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { emailTable } from "../../src/modules/emails/index.ts"
import { afterNextRead } from "../harness/after-read.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { seedEvents } from "../harness/events.ts"
import { accept, addresses } from "../harness/mails.ts"

const howMany = 130
const send = async (it: TestApp, count: number, subject = "Hi"): Promise<string[]> => {
  const to = Array.from({ length: count }, (_, at) => `to${at}@example.com`)
  const { body } = await it.api("POST /v1/send", { body: { to, from: "hi@acme.test", subject, body: "Hi" } })
  return body.data.emails.map(({ email }: { email: string }) => email)
}
const remove = (it: TestApp, id: string) =>
  it.app.store.write(
    it.project.id,
    async (unit) => void (await unit.db.delete(emailTable).where(eq(emailTable.id, id))),
  )

describe("GET /emails: the cursor list (contract A1.4)", () => {
  let it: TestApp
  let newestFirst: string[]
  beforeAll(async () => {
    it = await startTestApp()
    newestFirst = (await send(it, howMany)).reverse()
  })
  afterAll(() => it.close())

  const list = async (query: string) => (await it.api(`GET /emails${query}`)).body
  const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id)

  test.each([
    ["", 20],
    ["?limit=1", 1],
    ["?limit=007", 7],
    ["?limit=100", 100],
    ["?limit=101", 100],
    ["?limit=999999999999999999999", 100],
    ["?limit=", 20],
    ["?limit=0", 20],
    ["?limit=00", 20],
    ["?limit=-3", 20],
    ["?limit=1.5", 20],
    ["?limit=abc", 20],
    ["?limit=1e1", 20],
    ["?limit=+5", 20],
    ["?limit=%205", 20],
    ["?limit=0x10", 20],
    ["?limit=3&limit=50", 3],
    ["?limit=&limit=50", 20],
    ["?limit=abc&limit=5", 20],
    ["?unknown=1&page=4&pageSize=2", 20],
  ])("%j gives %d items (contract A1.4.1, A1.2.3)", async (query, count) => {
    const page = await list(query)
    expect(idsOf(page)).toEqual(newestFirst.slice(0, count))
    expect([page.hasMore, typeof page.cursor, page.total]).toEqual([true, "string", howMany])
  })

  test("the first page counts all matches, later ones say 0 (contract A1.4.3)", async () => {
    const first = await list("?limit=50&search=to1")
    // to1, to10 to to19, to100 to to129
    expect([first.data.length, first.total, first.hasMore]).toEqual([41, 41, false])
    const half = await list("?limit=30&search=to1")
    const rest = await list(`?limit=30&search=to1&cursor=${half.cursor}`)
    expect([half.total, rest.total, rest.data.length]).toEqual([41, 0, 11])
  })

  test("the last page has no cursor (contract A1.4.2)", async () => {
    const first = await list("?limit=100")
    const last = await list(`?limit=100&cursor=${first.cursor}`)
    expect(last).toMatchObject({ hasMore: false, total: 0 })
    expect("cursor" in last).toBe(false)
    expect([...idsOf(first), ...idsOf(last)]).toEqual(newestFirst)
  })

  test("a page that ends with the list is the last one", async () => {
    const first = await list("?limit=65")
    const second = await list(`?limit=65&cursor=${first.cursor}`)
    expect([first.hasMore, second.hasMore, second.data.length, "cursor" in second]).toEqual([true, false, 65, false])
  })

  test("an empty list is valid (contract A1.4)", async () => {
    expect(await list("?search=nobody")).toEqual({ data: [], hasMore: false, total: 0 })
  })

  test("an empty cursor is no cursor (contract A1.2.3)", async () => {
    expect((await list("?limit=1&cursor=")).total).toBe(howMany)
  })

  const foreign = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString("base64url")
  test.each([
    "x",
    "%20",
    "null",
    "0",
    newOpaque("{}"),
    newOpaque("[]"),
    newOpaque("null"),
    "%F0%9F%92%8C",
    foreign(["createdAt.asc", 1, "0199c0de-0000-7000-8000-000000000001"]),
    foreign(["id.desc", 1, 2]),
    foreign(["id.desc", "a"]),
  ])("the cursor %s is refused (contract A1.4.2)", async (cursor) => {
    const answer = await it.api(`GET /emails?cursor=${cursor}`)
    expect([answer.status, answer.body.error.code]).toEqual([400, "BAD_REQUEST"])
  })

  test("a walk returns each item that exists throughout exactly once, despite insertions and deletions (contract A1.4.4)", async () => {
    const before = idsOf(await list("?limit=100"))
    const seen: string[] = []
    const gone: string[] = []
    for (let query = "?limit=7", more = true; more; ) {
      const page = await list(query)
      seen.push(...idsOf(page))
      more = page.hasMore
      query = `?limit=7&cursor=${page.cursor}`
      await send(it, 3, "Late")
      // The last item returned, which the cursor points at, and one that follows.
      for (const id of [seen.at(-1), newestFirst[seen.length + 3]]) if (id !== undefined && more) gone.push(id)
      for (const id of gone) await remove(it, id)
    }
    expect(seen.slice(0, 7)).toEqual(before.slice(0, 7))
    expect(new Set(seen).size).toBe(seen.length)
    const stayed = newestFirst.filter((id) => !gone.includes(id))
    expect(seen.filter((id) => !gone.includes(id))).toEqual(stayed)
    expect(gone.length).toBeGreaterThan(20)
  })
})

function newOpaque(text: string): string {
  return Buffer.from(text).toString("base64url")
}

describe("A cursor walk goes on when items are deleted while a page is read (contract A1.4.4)", () => {
  /** More than are read on the event loop. */
  const mails = 2_100
  let many: TestApp
  beforeAll(async () => {
    many = await startTestApp({ settings: { "limits.requests_per_minute": "0" } })
    await accept(many, {}, ...addresses(mails))
    const contacts = (await many.api("GET /contacts?limit=6")).body.data
    await seedEvents(many, 6, (at) => ({ contactId: contacts[at].id }))
  })
  afterAll(() => many.close())

  test.each(["/emails?search=news&status=PENDING", "/inbox?source=API", "/events?startDate=2020-01-01"])(
    "of %s",
    async (path) => {
      const page = async (more: string) => (await many.api(`GET ${path}&${more}`)).body
      const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)
      const listed = (await page("limit=5")).data
      const [second] = listed.splice(1, 1)
      const left = idsOf({ data: listed })
      afterNextRead(many, () => many.api(`DELETE /contacts/${second.contactId}`))
      const now = await page("limit=2")
      expect(idsOf(now)).toEqual(left.slice(0, 2))
      expect(idsOf(await page(`limit=2&cursor=${now.cursor}`))).toEqual(left.slice(2))
    },
  )
})
