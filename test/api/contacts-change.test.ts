import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { countEffects, gained, scenarios, storedEvents } from "../harness/scenarios.ts"

const refused = { status: 422, code: "VALIDATION_ERROR" }
const unknown = "0199c0de-0000-7000-8000-ffffffffffff"

let it: TestApp
let count = 0
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

const someone = async (data: object = {}) => {
  count++
  const { body } = await it.api("POST /contacts", { body: { email: `someone${count}@example.com`, data } })
  return body as { id: string; email: string; updatedAt: string }
}
const change = (id: string, body: unknown) => it.api(`PATCH /contacts/${id}`, { body })

describe("PATCH /contacts/{id} (contract A5.4)", () => {
  test("changes what is sent and keeps the rest", async () => {
    const { id, email } = await someone({ plan: "free", city: "Oslo" })
    const changed = await change(id, { data: { plan: "pro", city: null, vip: true } })
    expect([changed.status, changed.body.data]).toEqual([200, { plan: "pro", vip: true }])
    expect(changed.body).toMatchObject({ id, email, subscribed: true, projectId: it.project.id })
    expect("_meta" in changed.body).toBe(false)
    expect((await it.api(`GET /contacts/${id}`)).body).toEqual(changed.body)
  })

  test("stores a new address in canonical form", async () => {
    const { id } = await someone()
    expect((await change(id, { email: " New.Address@Example.COM " })).body.email).toBe("new.address@example.com")
    const found = await it.api("GET /contacts?search=new.address")
    expect(found.body.data.map((one: { id: string }) => one.id)).toEqual([id])
  })

  test("refuses the address of another contact, and changes nothing", async () => {
    const [one, other] = [await someone(), await someone()]
    const before = await countEffects(it)
    const answer = await change(one.id, { email: other.email.toUpperCase(), subscribed: false, data: { a: 1 } })
    expect([answer.status, answer.body.error.code]).toEqual([409, "CONFLICT"])
    expect((await it.api(`GET /contacts/${one.id}`)).body).toMatchObject({
      email: one.email,
      subscribed: true,
      data: {},
    })
    expect(gained(before, await countEffects(it))).toEqual({ events: {}, mails: 0, contacts: 0 })
  })

  test("accepts the contact's own address, and one that another project uses", async () => {
    const { id, email } = await someone()
    expect((await change(id, { email })).status).toBe(200)
    const other = await it.app.projects.create("Other")
    await it.api("POST /contacts", { key: other.secret, body: { email: "elsewhere@example.com" } })
    expect((await change(id, { email: "elsewhere@example.com" })).status).toBe(200)
  })

  test("gives an address to only one of many concurrent requests", async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => someone()))
    const answers = await Promise.all(people.map(({ id }) => change(id, { email: "wanted@example.com" })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(11).fill(409)])
    const { body } = await it.api("POST /contacts/lookup", { body: { emails: people.map(({ email }) => email) } })
    expect(body.found).toHaveLength(11)
  })

  test("records a change of subscription, an end of it with its reason, and nothing without a change", async () => {
    const { id } = await someone()
    const before = await countEffects(it)
    for (const subscribed of [true, false, false, true])
      expect((await change(id, { subscribed })).body.subscribed).toBe(subscribed)
    expect(gained(before, await countEffects(it)).events).toEqual({
      "contact.unsubscribed": 1,
      "contact.subscribed": 1,
    })
    const own = (await storedEvents(it)).filter((event) => event.contactId === id)
    expect(own.map(({ name, data }) => [name, data])).toEqual([
      ["contact.unsubscribed", { reason: "api" }],
      ["contact.subscribed", {}],
    ])
  })

  test("changes updatedAt only when something changes (contract A1.1.6)", async () => {
    const { id, email, updatedAt } = await someone({ plan: "free" })
    for (const nothing of [
      {},
      { email },
      { subscribed: true },
      { data: {} },
      { data: { plan: "free", note: "", none: null } },
    ]) {
      await it.advance({ seconds: 1 })
      expect((await change(id, nothing)).body.updatedAt).toBe(updatedAt)
    }
    for (const something of [{ email: "moved@example.com" }, { subscribed: false }, { data: { plan: null } }]) {
      await it.advance({ seconds: 1 })
      expect((await change(id, something)).body.updatedAt).toBe(new Date(it.clock.now()).toISOString())
    }
  })

  test.each(["x", unknown])("is 404 for %s", async (id) => {
    const answer = await change(id, { subscribed: false })
    expect([answer.status, answer.body.error.code]).toEqual([404, "CONTACT_NOT_FOUND"])
  })

  test("is 404 for a contact of another project (contract A1.1.2)", async () => {
    const { id } = await someone()
    const other = await it.app.projects.create("Stranger")
    for (const [route, body] of [
      ["PATCH", { subscribed: false }],
      ["GET", undefined],
      ["DELETE", undefined],
    ] as const) {
      const answer = await it.api(`${route} /contacts/${id}`, { key: other.secret, body })
      expect([route, answer.status, answer.body.error.code]).toEqual([route, 404, "CONTACT_NOT_FOUND"])
    }
    expect((await it.api(`GET /contacts/${id}`)).body.subscribed).toBe(true)
  })
})

scenarios(
  "PATCH /contacts/x: the shape comes before the contact (contract A1.6)",
  [
    {
      name: "null clears nothing of a contact (contract A1.1.5)",
      body: { email: null, subscribed: null, data: null },
      ...refused,
      fields: { email: "invalid_type", subscribed: "invalid_type", data: "invalid_type" },
    },
    {
      name: "types are checked",
      body: { email: 5, subscribed: 0, data: [] },
      ...refused,
      fields: { email: "invalid_type", subscribed: "invalid_type", data: "invalid_type" },
    },
    { name: "blanks are no address", body: { email: "  " }, ...refused, fields: { email: "invalid_string" } },
    { name: "data has its limits", body: { data: { ["k".repeat(256)]: 1 } }, ...refused, fields: { data: "too_big" } },
    { name: "a valid body finds no contact", body: {}, status: 404, code: "CONTACT_NOT_FOUND" },
  ].map((row) => ({ ...row, route: `PATCH /contacts/${unknown}` })),
)
