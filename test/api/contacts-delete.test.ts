import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { countEffects, gained } from "../harness/scenarios.ts"

describe("DELETE /contacts/{id} (contract A5.5)", () => {
  let it: TestApp
  beforeAll(async () => {
    it = await startTestApp()
  })
  afterAll(() => it.close())

  const track = async (email: string, data: object = {}): Promise<string> =>
    (await it.api("POST /v1/track", { body: { email, event: "signup", data } })).body.data.contact

  test("is 204 without body, and permanent", async () => {
    const id = await track("gone@example.com")
    const answer = await it.api(`DELETE /contacts/${id}`)
    expect([answer.status, answer.body, answer.headers.get("content-type")]).toEqual([204, undefined, null])
    for (const route of ["GET", "DELETE"]) {
      const again = await it.api(`${route} /contacts/${id}`)
      expect([again.status, again.body.error.code]).toEqual([404, "CONTACT_NOT_FOUND"])
      expect(again.body.error.details).toEqual({ resource: "Contact", id })
    }
  })

  test("deletes its events and its emails, and queued mail is not sent", async () => {
    const before = await countEffects(it)
    const id = await track("mailed@example.com")
    await track("stays@example.com")
    const mail = { to: ["mailed@example.com", "stays@example.com"], from: "hi@acme.test", subject: "Hi", body: "Hi" }
    const { body } = await it.api("POST /v1/send", { body: mail })
    await it.api(`PATCH /contacts/${id}`, { body: { subscribed: false } })
    expect(gained(before, await countEffects(it))).toEqual({
      events: { signup: 2, "contact.unsubscribed": 1 },
      mails: 2,
      contacts: 2,
    })

    expect((await it.api(`DELETE /contacts/${id}`)).status).toBe(204)
    expect(gained(before, await countEffects(it))).toEqual({ events: { signup: 1 }, mails: 1, contacts: 1 })
    await it.settle()
    expect(it.sent().map(({ to }) => to.address)).toEqual(["stays@example.com"])
    expect((await it.api(`GET /emails/${body.data.emails[0].email}`)).status).toBe(404)
  })

  test("updates counts, the field catalogue and the search", async () => {
    const id = await track("counted@example.com", { shoe: 43, hat: "m" })
    await track("other@example.com", { shoe: 44 })
    const look = async () => {
      const { fields } = (await it.api("GET /contacts/fields")).body
      const coverage = (field: string) => fields.find((one: { field: string }) => one.field === field)?.coverage
      const { total } = (await it.api("GET /contacts")).body
      const found = (await it.api("GET /contacts?search=counted")).body
      return { total, shoe: coverage("data.shoe"), hat: coverage("data.hat"), found: [found.total, found.data.length] }
    }
    const share = (some: number, total: number) => Math.round((some / total) * 10_000) / 10_000
    const { total } = await look()
    expect(await look()).toEqual({ total, shoe: share(2, total), hat: share(1, total), found: [1, 1] })
    await it.api(`DELETE /contacts/${id}`)
    expect(await look()).toEqual({ total: total - 1, shoe: share(1, total - 1), hat: 0, found: [0, 0] })
  })

  test("frees the address for a new contact", async () => {
    const id = await track("again@example.com", { plan: "pro" })
    await it.api(`DELETE /contacts/${id}`)
    const { status, body } = await it.api("POST /contacts", { body: { email: "again@example.com" } })
    expect([status, body.data, body._meta.isNew, body.id === id]).toEqual([201, {}, true, false])
  })

  test.each(["x", "0199c0de-0000-7000-8000-ffffffffffff"])("is 404 for %s", async (id) => {
    expect((await it.api(`DELETE /contacts/${id}`)).body.error.code).toBe("CONTACT_NOT_FOUND")
  })
})
