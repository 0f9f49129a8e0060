import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"

interface Person {
  readonly id: string
  readonly email: string
  readonly subscribed: boolean
  readonly createdAt: string
}

const howMany = 130
let it: TestApp
/**
 * In the order of creation; every third is unsubscribed, one is created every other minute, and two at the same time.
 */
const people: Person[] = []

beforeAll(async () => {
  it = await startTestApp()
  for (let at = 0; at < howMany; at++) {
    if (at % 2 === 0) await it.advance({ minutes: 1 })
    // Addresses that are in no order of time.
    const email = `user${(at * 37) % howMany}@example.com`
    const { body } = await it.api("POST /contacts", { body: { email, subscribed: at % 3 !== 0 } })
    people.push({ id: body.id, email, subscribed: body.subscribed, createdAt: body.createdAt })
  }
  const other = await it.app.projects.create("Other")
  await it.api("POST /contacts", { key: other.secret, body: { email: "user1@example.com" } })
})
afterAll(() => it.close())

const list = async (query: string) => (await it.api(`GET /contacts${query}`)).body
const idsOf = (page: { data: Person[] }) => page.data.map(({ id }) => id)
const newestFirst = () => [...people].reverse()
const byEmail = () => [...people].sort((one, other) => (one.email < other.email ? -1 : 1))
const ids = (some: readonly Person[]) => some.map(({ id }) => id)

/** All pages of a list, one after the other. */
async function walk(query: string, limit = 17): Promise<{ ids: string[]; totals: number[] }> {
  const seen: string[] = []
  const totals: number[] = []
  for (let cursor = ""; ; ) {
    const page = await list(`?limit=${limit}${query}${cursor}`)
    seen.push(...idsOf(page))
    totals.push(page.total)
    expect("cursor" in page).toBe(page.hasMore)
    if (!page.hasMore) return { ids: seen, totals }
    expect(page.data).toHaveLength(limit)
    cursor = `&cursor=${page.cursor}`
  }
}

describe("GET /contacts: the page (contract A1.4, A5.1)", () => {
  test.each([
    ["", 20],
    ["?limit=1", 1],
    ["?limit=100", 100],
    ["?limit=101", 100],
    ["?limit=99999999999999999999", 100],
    ["?limit=", 20],
    ["?limit=0", 20],
    ["?limit=-3", 20],
    ["?limit=1.5", 20],
    ["?limit=abc", 20],
    ["?limit=3&limit=50", 3],
    ["?cursor=&limit=2", 2],
    ["?page=4&unknown=1", 20],
  ])("%j has %d items, the newest first", async (query, count) => {
    const page = await list(query)
    expect(idsOf(page)).toEqual(ids(newestFirst().slice(0, count)))
    expect([page.hasMore, typeof page.cursor, page.total]).toEqual([true, "string", howMany])
  })

  test("an item is a contact", async () => {
    const [first] = (await list("?limit=1")).data
    expect(first).toEqual((await it.api(`GET /contacts/${first.id}`)).body)
  })

  test("a project without contacts has an empty list", async () => {
    const { secret } = await it.app.projects.create("Empty")
    for (const query of ["", "?search=a", "?search=abc", "?subscribed=true", "?sort=email&subscribed=true"])
      expect((await it.api(`GET /contacts${query}`, { key: secret })).body).toEqual({
        data: [],
        hasMore: false,
        total: 0,
      })
  })
})

describe("GET /contacts: order and filter (contract A1.4.6)", () => {
  const sorts: [query: string, sorted: () => Person[]][] = [
    ["", newestFirst],
    ["&sort=createdAt&dir=desc", newestFirst],
    ["&dir=asc", () => people],
    ["&sort=email", () => byEmail().reverse()],
    ["&sort=email&dir=asc", byEmail],
    ["&sort=updatedAt&dir=up", newestFirst],
    ["&sort=EMAIL&dir=ASC", newestFirst],
    ["&sort=&dir=", newestFirst],
  ]
  const filters: [query: string, fits: (one: Person) => boolean][] = [
    ["", () => true],
    ["&subscribed=true", ({ subscribed }) => subscribed],
    ["&subscribed=false", ({ subscribed }) => !subscribed],
    ["&subscribed=yes", () => true],
    ["&subscribed=TRUE", () => true],
    ["&subscribed=", () => true],
    ["&search=user1", ({ email }) => email.includes("user1")],
    ["&search=1", ({ email }) => email.includes("1")],
    ["&search=2%40&subscribed=false", ({ email, subscribed }) => email.includes("2@") && !subscribed],
    ["&search=example.com&subscribed=true", ({ subscribed }) => subscribed],
  ]
  const cases = sorts.flatMap(([sort, sorted]) =>
    filters.map(([filter, fits]): [string, () => Person[]] => [sort + filter, () => sorted().filter(fits)]),
  )

  test.each(cases)("%j", async (query, wanted) => {
    const expected = ids(wanted())
    expect(expected.length).toBeGreaterThan(0)
    const { ids: seen, totals } = await walk(query)
    expect(seen).toEqual(expected)
    expect(totals).toEqual([expected.length, ...totals.slice(1).map(() => 0)])
  })

  test("contacts of the same millisecond are sorted by id, in the direction of the list (contract A1.4.4)", async () => {
    const twins = people.slice(0, 2)
    expect(twins[0]?.createdAt).toBe(twins[1]?.createdAt ?? "")
    const sorted = ids(twins).sort()
    expect((await walk("&dir=asc", 1)).ids.slice(0, 2)).toEqual(sorted)
    expect((await walk("&dir=desc", 1)).ids.slice(-2)).toEqual([...sorted].reverse())
  })
})

describe("GET /contacts: search (contract A1.4.6)", () => {
  const found = async (search: string) => {
    const page = await list(`?limit=100&search=${encodeURIComponent(search)}`)
    expect(page.total).toBe(page.data.length)
    return page.data.map(({ email }: Person) => email)
  }

  test.each([
    ["USER12@EXAMPLE.com", ["user12@example.com"]],
    ["  user12@  ", ["user12@example.com"]],
    ["12@example.com", ["user12@example.com", "user112@example.com"]],
    ["user_2", []],
    ["user%", []],
    ["*", []],
    ['"', []],
    ["' or 1=1 --", []],
    ["user1 AND user2", []],
    ["NOT", []],
    ["a\\", []],
    ["\u0000", []],
    ["uſer12", []],
    ["USER12\u212a", []],
    ["x".repeat(300), []],
  ])("%j is taken literally, in any case", async (search, emails) => {
    expect((await found(search)).sort()).toEqual([...emails].sort())
  })

  test.each([
    ["info@MÜLLER.example", ["info@xn--mller-kva.example"]],
    ["@Müller.example", ["info@xn--mller-kva.example"]],
    ["müller", ["info@xn--mller-kva.example"]],
    ["müll", []],
  ])("%j is found in domains that are stored in xn-- form", async (search, emails) => {
    const { body } = await it.api("POST /contacts", { body: { email: "info@müller.example" } })
    expect(await found(search)).toEqual(emails)
    await it.api(`DELETE /contacts/${body.id}`)
  })

  test.each(["", "   "])("%j is no search", async (search) => {
    expect((await list(`?search=${encodeURIComponent(search)}`)).total).toBe(howMany)
  })
})

describe("GET /contacts: the cursor (contract A1.4.2)", () => {
  const opaque = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString("base64url")
  const id = "0199c0de-0000-7000-8000-000000000001"

  test.each([
    "x",
    "null",
    opaque({}),
    opaque([]),
    opaque(["createdAt.desc", 1]),
    opaque(["createdAt.desc", "abc", id]),
    opaque(["createdAt.desc", 1.5, id]),
    opaque(["createdAt.desc", 1e308, id]),
    Buffer.from(`["createdAt.desc",1e400,"${id}"]`).toString("base64url"),
    opaque(["createdAt.desc", 1, "x"]),
    opaque(["createdAt.desc", 1, 2]),
    opaque(["createdAt.desc", null, id]),
    opaque(["id.desc", id, id]),
    opaque(["email.desc", "a", id]),
    opaque(["createdAt.desc", 1, id, 1]),
    opaque(["createdAt.desc", 1, id, "1"]),
    opaque(["createdAt.desc", 1, id, 1, 1]),
    `${opaque(["createdAt.desc", 1, id])}!`,
    `${opaque(["createdAt.desc", 1, id])}=`,
  ])("%s is refused", async (cursor) => {
    const answer = await it.api(`GET /contacts?cursor=${cursor}`)
    expect([answer.status, answer.body.error.code]).toEqual([400, "BAD_REQUEST"])
  })

  test("of another sort or direction is refused", async () => {
    const orders = [
      "&sort=createdAt&dir=desc",
      "&sort=createdAt&dir=asc",
      "&sort=email&dir=desc",
      "&sort=email&dir=asc",
    ]
    for (const made of orders) {
      const { cursor } = await list(`?limit=5${made}`)
      for (const used of orders) {
        const { status } = await it.api(`GET /contacts?limit=5${used}&cursor=${cursor}`)
        expect([made, used, status]).toEqual([made, used, made === used ? 200 : 400])
      }
    }
  })

  test("of the emails is refused", async () => {
    const mail = { to: ["a@example.com", "b@example.com"], from: "hi@acme.test", subject: "Hi", body: "Hi" }
    const other = await startTestApp()
    await other.api("POST /v1/send", { body: mail })
    const { cursor } = (await other.api("GET /emails?limit=1")).body
    expect((await other.api(`GET /contacts?cursor=${cursor}`)).status).toBe(400)
    await other.close()
  })
})
