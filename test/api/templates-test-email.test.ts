import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { countEffects, fieldsOf, gained } from "../harness/scenarios.ts"
import { createTemplate } from "../harness/templates.ts"

const unknown = "0199c0de-0000-7000-8000-0000000fffff"
const fields = {
  type: "MARKETING",
  subject: "Hi {{name ?? you}} at {{email}}",
  body: '<p>{{plan ?? free}} <a href="https://acme.test/page">read</a></p>',
  text: "Plan {{plan ?? free}}",
  fromName: "Shop",
  replyTo: "help@acme.test",
}

let it: TestApp
let templateId: string
let contactId: string
beforeAll(async () => {
  it = await startTestApp()
  templateId = (await createTemplate(it, fields)).id
  const contact = { email: "ada@example.com", data: { name: "Ada", plan: "pro" }, subscribed: false }
  contactId = (await it.api("POST /contacts", { body: contact })).body.id
})
afterAll(() => it.close())

/** Sends a test, checks that it leaves nothing but so many mails, and resolves with the answer. */
async function request(body: object, { id = templateId, mails = 0 } = {}) {
  const before = await countEffects(it)
  const answer = await it.api(`POST /templates/${id}/test`, { body })
  await it.settle()
  expect(gained(before, await countEffects(it))).toEqual({ events: {}, mails, contacts: 0 })
  return answer
}

/** The record of the test that was sent. */
async function tested(body: object) {
  const answer = await request(body, { mails: 1 })
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({ emailId: expect.any(String) })
  return (await it.api(`GET /emails/${answer.body.emailId}`)).body
}

const refused = async (body: object, id?: string) => {
  const answer = await request(body, id === undefined ? {} : { id })
  return [answer.status, answer.body.error.code, fieldsOf(answer)]
}

describe("A test of a template (contract A6.9)", () => {
  test("goes to any address as the template is, and leaves no trace but the mail", async () => {
    const record = await tested({ email: " New@Example.com" })
    expect(record).toMatchObject({
      to: "new@example.com",
      subject: "[TEST] Hi you at new@example.com",
      status: "SENT",
      from: "hi@acme.test",
      fromName: "Shop",
      replyTo: "help@acme.test",
      type: "TRANSACTIONAL",
      contactId: null,
      templateId: null,
      text: "Plan free",
    })
    expect(record.headers["X-Mailstead-Test"]).toBe("true")
    expect(it.sent().at(-1)?.html).toContain('<p>free <a href="https://acme.test/page">read</a></p>')
    expect((await it.api(`GET /templates/${templateId}/usage`)).body.emailsSent).toBe(0)
  })

  test("has the data of the contact with the address, subscribed or not", async () => {
    const { subject, text } = await tested({ email: "ada@example.com" })
    expect([subject, text]).toEqual(["[TEST] Hi Ada at ada@example.com", "Plan pro"])
  })

  test("has the data of another contact, with that of the request over it, and stores nothing of that", async () => {
    const data = { plan: { value: "team", persistent: false }, name: "Bo" }
    const record = await tested({ email: "me@example.com", contactId, data })
    expect(record).toMatchObject({
      to: "me@example.com",
      subject: "[TEST] Hi Bo at ada@example.com",
      text: "Plan team",
    })
    expect((await it.api(`GET /contacts/${contactId}`)).body.data).toEqual({ name: "Ada", plan: "pro" })
  })

  test("has content that is not saved, without the text of the saved body", async () => {
    const own = {
      subject: "New {{name}}",
      body: "<p>Other</p>",
      from: "Other@Acme.test",
      fromName: null,
      replyTo: null,
    }
    expect(await tested({ email: "ada@example.com", ...own })).toMatchObject({
      subject: "[TEST] New Ada",
      text: "Other",
      from: "other@acme.test",
      fromName: "Acme",
      replyTo: null,
    })
    expect((await it.api(`GET /templates/${templateId}`)).body).toMatchObject(fields)
  })

  test("has the text of the request, or one that is made from the body", async () => {
    expect((await tested({ email: "ada@example.com", text: "Own {{plan}}" })).text).toBe("Own pro")
    expect((await tested({ email: "ada@example.com", text: null })).text).toBe("pro read (https://acme.test/page)")
  })

  test("is refused for fields that are not valid", async () => {
    const body = { email: "ada", subject: "a\nb", body: "", from: "x", contactId: "y" }
    const codes = { email: "invalid_string", subject: "invalid_string", body: "too_small", from: "invalid_string" }
    expect(await refused(body)).toEqual([422, "VALIDATION_ERROR", { ...codes, contactId: "invalid_string" }])
    expect(await refused({})).toEqual([422, "VALIDATION_ERROR", { email: "required" }])
  })

  test("is refused for content with a fault", async () => {
    const body = { email: "ada@example.com", body: "<p>\n{{#if}}" }
    expect(await refused(body)).toEqual([422, "VALIDATION_ERROR", { body: "custom" }])
  })

  test("is refused for a sender whose domain is not verified", async () => {
    expect(await refused({ email: "ada@example.com", from: "hi@other.test" })).toEqual([
      403,
      "INTERNAL_SERVER_ERROR",
      {},
    ])
  })

  test("is refused for an unknown contact or template", async () => {
    const email = "ada@example.com"
    expect(await refused({ email, contactId: unknown })).toEqual([404, "CONTACT_NOT_FOUND", {}])
    expect(await refused({ email }, unknown)).toEqual([404, "TEMPLATE_NOT_FOUND", {}])
  })
})
