import { afterAll, beforeAll, expect, test } from "bun:test"
import { afterNextRead } from "../harness/after-read.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { seedContacts } from "../harness/contacts.ts"

let it: TestApp
const people = [
  ["ada@one.test", { city: "Zürich", plan: "pro", score: 991 }, true],
  ["bo@zurich.test", { city: "Bern", address: { street: "Zürichstrasse 1" } }, false],
  ["cy@one.test", { "Zürich office": true, note: 'say "hi" 100%' }, true],
] as const
beforeAll(async () => {
  it = await startTestApp()
  for (const [email, data, subscribed] of people) await it.api("POST /contacts", { body: { email, data, subscribed } })
})
afterAll(() => it.close())

const found = async (text: string, more = "") => {
  const { body } = await it.api(`GET /contacts?sort=email&dir=asc&find=${encodeURIComponent(text)}${more}`)
  expect(body.total).toBe(body.data.length)
  return body.data.map(({ email }: { email: string }) => email)
}

test.each([
  ["ZÜRICH", ["ada@one.test", "bo@zurich.test"]],
  ["zurich", ["bo@zurich.test"]],
  ["one.test", ["ada@one.test", "cy@one.test"]],
  ["991", ["ada@one.test"]],
  ['"hi" 100%', ["cy@one.test"]],
  ["office", []],
  ["city", []],
])("find=%s searches addresses and values, but not field names (contract A5.1)", async (text, emails) => {
  expect(await found(text)).toEqual([...emails])
})

test("find can be combined with subscribed, order and pages (contract A5.1)", async () => {
  expect(await found("zürich", "&subscribed=true")).toEqual(["ada@one.test"])
  const first = await it.api("GET /contacts?find=test&limit=2")
  expect([first.body.total, first.body.data.map((one: { email: string }) => one.email)]).toEqual([
    3,
    ["cy@one.test", "bo@zurich.test"],
  ])
  const next = await it.api(`GET /contacts?find=test&limit=2&cursor=${first.body.cursor}`)
  expect(next.body.data.map((one: { email: string }) => one.email)).toEqual(["ada@one.test"])
})

test("find=müller searches domains in xn-- form, and values as they are (contract A5.1)", async () => {
  for (const body of [{ email: "x@müller.test" }, { email: "y@one.test", data: { name: "Müller" } }])
    await it.api("POST /contacts", { body })
  const emails = await found("müller")
  expect(emails).toEqual(["x@xn--mller-kva.test", "y@one.test"])
  for (const email of emails) {
    const { data } = (await it.api(`GET /contacts?search=${email}`)).body
    await it.api(`DELETE /contacts/${data[0].id}`)
  }
})

test("search covers only addresses (contract A5.1)", async () => {
  expect((await it.api("GET /contacts?search=pro")).body.total).toBe(0)
})

test("find lets others work while it reads few contacts with long values", async () => {
  const few = await startTestApp()
  const long = Array.from({ length: 5_000 }, (_, at) => ({ at }))
  await seedContacts(few, 20, () => ({ data: { long } }))
  let turns = 0
  let next: ReturnType<typeof setImmediate>
  // Turns of the event loop, not milliseconds: a fast machine needs few of those.
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  next = setImmediate(count)
  expect((await few.api("GET /contacts?find=at:1")).body.total).toBe(0)
  clearImmediate(next)
  expect(turns).toBeGreaterThan(5)
  await few.close()
})

test("find reads contacts page by page (contract A5.1)", async () => {
  const many = await startTestApp()
  await seedContacts(many, 1_200, (at) => ({ data: { note: at % 400 === 7 ? "a needle in it" : "hay" } }))
  const first = (await many.api("GET /contacts?find=needle&limit=2&sort=email&dir=asc")).body
  expect([first.total, first.data.map((one: { email: string }) => one.email)]).toEqual([
    3,
    ["seeded407@example.com", "seeded7@example.com"],
  ])
  const next = await many.api(`GET /contacts?find=needle&limit=2&sort=email&dir=asc&cursor=${first.cursor}`)
  expect(next.body.data.map((one: { email: string }) => one.email)).toEqual(["seeded807@example.com"])
  await many.close()
})

test.each(["find=needle", "search=seeded12"])(
  "a walk with %s goes on when contacts are deleted while a page is read (contract A1.4.4)",
  async (query) => {
    const many = await startTestApp()
    await seedContacts(many, 6_000, (at) => ({ data: at % 100 === 0 ? { note: "needle" } : {} }))
    const idsOf = async (more: string) =>
      (await many.api(`GET /contacts?${query}${more}`)).body.data.map(({ id }: { id: string }) => id)
    const [first, second, third, ...others] = await idsOf("&limit=6")
    afterNextRead(many, () => many.api(`DELETE /contacts/${second}`))
    const page = (await many.api(`GET /contacts?${query}&limit=2`)).body
    expect(page.data.map(({ id }: { id: string }) => id)).toEqual([first, third])
    expect(await idsOf(`&limit=3&cursor=${page.cursor}`)).toEqual(others)
    await many.close()
  },
)
