import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { fieldsOf, storedEvents } from "../harness/scenarios.ts"
import { setProject } from "../harness/tracking.ts"

/** The permissions of the public key, which web pages contain in their source. */
let it: TestApp
beforeAll(async () => {
  it = await startTestApp({ settings: { "limits.requests_per_minute": "0" } })
})
afterAll(() => it.close())

let next = 0
const fresh = () => `visitor${next++}@example.com`
const track = (email: string, more: object = {}) =>
  it.api("POST /v1/track", { body: { email, event: "visit", ...more } })
const seen = async (email: string) => (await it.api("POST /contacts", { body: { email } })).body

describe("An unsubscribed contact (contract A4.1.4)", () => {
  const leaver = async () => {
    const email = fresh()
    await it.api("POST /contacts", { body: { email, subscribed: false } })
    return email
  }

  test("is subscribed again by the public key by default", async () => {
    const email = await leaver()
    await track(email, { subscribed: true })
    expect((await seen(email)).subscribed).toBe(true)
  })

  test("is not if the project forbids it; the rest of the request takes effect", async () => {
    await setProject(it, { publicResubscribe: false })
    try {
      const [email, stranger] = [await leaver(), fresh()]
      const { status } = await track(email, { subscribed: true, data: { plan: "pro" } })
      expect([status, await seen(email)]).toMatchObject([200, { subscribed: false, data: { plan: "pro" } }])
      expect((await storedEvents(it)).at(-1)).toMatchObject({ name: "visit" })
      await track(stranger, { subscribed: true })
      expect((await seen(stranger)).subscribed).toBe(true)
      await track(stranger, { subscribed: false })
      await track(stranger, { subscribed: true })
      expect((await seen(stranger)).subscribed).toBe(false)
      await it.api("POST /events/track", { body: { email, event: "visit", subscribed: true } })
      expect((await seen(email)).subscribed).toBe(true)
    } finally {
      await setProject(it, { publicResubscribe: true })
    }
  })

  test("does as the settings of the project say, from the next request on (contract B8.3)", async () => {
    const owner = await signUp(it, "owner@acme.test")
    const settings = `/users/@me/projects/${it.project.id}`
    const allow = async (publicResubscribe: unknown) => {
      const { status, body } = await owner.api(`PATCH ${settings}`, { body: { publicResubscribe } })
      return [status, body.data?.publicResubscribe ?? body.publicResubscribe]
    }
    for (const isAllowed of [false, true]) {
      expect(await allow(isAllowed)).toEqual([200, isAllowed])
      const email = await leaver()
      await track(email, { subscribed: true })
      expect((await seen(email)).subscribed).toBe(isAllowed)
    }
    expect((await allow("no"))[0]).toBe(422)
    expect((await it.api(`PATCH ${settings}`, { body: { publicResubscribe: false } })).status).toBe(401)
  })
})

describe("Custom fields of a project (contract A9, row 14)", () => {
  const many = (from: number, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`field${from + at}`, 1]))
  const customFields = async (): Promise<number> =>
    (await it.api("GET /contacts/fields")).body.fields.filter(({ isCustom }: { isCustom: boolean }) => isCustom).length

  const write = (email: string, data: object) => it.api("POST /contacts", { body: { email, data } })

  test("are made by the public key up to 250 (contract A2.1.7), and otherwise up to a thousand", async () => {
    const email = fresh()
    const known = await customFields()
    expect((await track(email, { data: many(0, 250 - known) })).status).toBe(200)
    const junk = await track(fresh(), { data: { onemore: 1 } })
    expect([junk.status, fieldsOf(junk)]).toEqual([422, { data: "too_big" }])
    expect(junk.body.error.message).toContain("public key")
    expect(await customFields()).toBe(250)

    const secret = { email: fresh(), event: "visit", data: { bySecret: 1 } }
    expect((await it.api("POST /events/track", { body: secret })).status).toBe(200)
    expect((await write(fresh(), many(250 - known, 1_000 - 251))).status).toBe(201)
    expect(await customFields()).toBe(1_000)
    const contact = await write(fresh(), { onemore: 1 })
    expect([contact.status, fieldsOf(contact)]).toEqual([422, { data: "too_big" }])

    expect((await track(email, { data: { field0: null } })).status).toBe(200)
    expect((await track(fresh(), { data: { field0: 2, field1: 3, field900: 4 } })).status).toBe(200)
    expect(await customFields()).toBe(1_000)
  })

  test("that are too many leave out the row of an import (contract A5.15.2)", async () => {
    const form = new FormData()
    const [one, other] = [fresh(), fresh()]
    form.append("file", new File([`email,field0,twomore\n${one},1,\n${other},1,1\n`], "people.csv"))
    const { jobId } = (await it.api("POST /contacts/import", { raw: form })).body
    await it.settle()
    const { body: job } = await it.api(`GET /contacts/import/${jobId}`)
    expect([job.imported, job.errors]).toEqual([1, [{ row: 3, email: other, reason: "too_many_fields" }]])
    expect(await customFields()).toBe(1_000)
  })

  test("are no obstacle any more when one was deleted", async () => {
    expect((await it.api("DELETE /contacts/fields/data.field1")).status).toBe(200)
    await it.settle()
    expect((await track(fresh(), { data: { onemore: 1 } })).status).toBe(422)
    expect((await write(fresh(), { onemore: 1 })).status).toBe(201)
  })
})
