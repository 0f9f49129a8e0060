import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { sent } from "../../src/mail/transport.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { createTemplate } from "../harness/templates.ts"

const mail = { to: "ada@example.com", from: "hi@acme.test", subject: "Hi", body: "<p>Hi</p>" }
const now = "2026-01-31T09:15:00.000Z"

describe("GET /emails/{id}: the record of a message (contract A4.5)", () => {
  let it: TestApp
  beforeAll(async () => {
    it = await startTestApp()
  })
  afterAll(() => it.close())

  const sendOne = async (body: object): Promise<{ id: string; contactId: string }> => {
    const answer = await it.api("POST /v1/send", { body: { ...mail, ...body } })
    expect(answer.status).toBe(200)
    const [{ contact, email }] = answer.body.data.emails
    return { id: email, contactId: contact.id }
  }
  const get = async (id: string) => (await it.api(`GET /emails/${id}`)).body

  test("has every field, null where there is no value", async () => {
    const { id, contactId } = await sendOne({})
    expect(await get(id)).toEqual({
      id,
      projectId: it.project.id,
      contactId,
      to: "ada@example.com",
      toName: null,
      from: "hi@acme.test",
      fromName: "Acme",
      replyTo: null,
      subject: "Hi",
      type: "TRANSACTIONAL",
      status: "PENDING",
      sourceType: "TRANSACTIONAL",
      campaignId: null,
      workflowExecutionId: null,
      templateId: null,
      messageId: `${id}@acme.test`,
      opens: 0,
      clicks: 0,
      error: null,
      createdAt: now,
      updatedAt: now,
      sentAt: null,
      deliveredAt: null,
      openedAt: null,
      clickedAt: null,
      bouncedAt: null,
      complainedAt: null,
      html: expect.stringContaining("<p>Hi</p>"),
      text: "Hi",
      headers: {
        From: "Acme <hi@acme.test>",
        To: "ada@example.com",
        Subject: "Hi",
        "Message-ID": `<${id}@acme.test>`,
        Date: "Sat, 31 Jan 2026 09:15:00 +0000",
      },
      attachments: [],
      notice: null,
      attempts: 0,
      nextAttemptAt: null,
    })
  })

  test("has all requested values, and the rendered subject", async () => {
    const template = await createTemplate(it, { type: "HEADLESS" })
    const { id, contactId } = await sendOne({
      to: { name: "Ada Lovelace", email: "Ada@Example.com" },
      template: template.id,
      from: { name: "Shop", email: "shop@acme.test" },
      reply: "help@example.com",
      subject: "Order {{no}}",
      body: "<h1>Order {{no}}</h1>",
      data: { no: { value: 991, persistent: false } },
      headers: { "X-Tag": "a", "x-odd-CASE": "b", "X-Name": "Ünïcode" },
    })
    await it.advance({ seconds: 1 })
    const record = await get(id)
    expect(record).toMatchObject({
      contactId,
      to: "ada@example.com",
      toName: "Ada Lovelace",
      from: "shop@acme.test",
      fromName: "Shop",
      replyTo: "help@example.com",
      subject: "Order 991",
      type: "HEADLESS",
      templateId: template.id,
      status: "SENT",
      createdAt: now,
      updatedAt: "2026-01-31T09:15:01.000Z",
      sentAt: "2026-01-31T09:15:01.000Z",
      text: "Order 991",
    })
    expect(record.headers).toEqual({
      From: "Shop <shop@acme.test>",
      To: "Ada Lovelace <ada@example.com>",
      "Reply-To": "help@example.com",
      Subject: "Order 991",
      "Message-ID": `<${id}@acme.test>`,
      Date: "Sat, 31 Jan 2026 09:15:00 +0000",
      "X-Tag": "a",
      "x-odd-CASE": "b",
      "X-Name": "Ünïcode",
    })
  })

  test("quotes a name that reads like several addresses, as the message does (contract A4.5.4)", async () => {
    const { id } = await sendOne({
      to: { name: 'Lovelace, "Ada"', email: "ada@example.com" },
      from: { name: "Müller; Söhne", email: "hi@acme.test" },
    })
    expect((await get(id)).headers).toMatchObject({
      From: '"Müller; Söhne" <hi@acme.test>',
      To: '"Lovelace, \\"Ada\\"" <ada@example.com>',
    })
  })

  test("shows a name without the space around it, and none that is only space, as the message does (contract A4.5.4)", async () => {
    const { id } = await sendOne({
      to: { name: " \t ", email: "ada@example.com" },
      from: { name: " The\tShop ", email: "hi@acme.test" },
    })
    expect((await get(id)).headers).toMatchObject({ From: "The Shop <hi@acme.test>", To: "ada@example.com" })
  })

  test("lists attachments with their size in bytes", async () => {
    const content = Buffer.from("Grüße").toString("base64")
    const { id } = await sendOne({
      attachments: [
        { filename: "grüße.txt", content, contentType: "text/plain" },
        { filename: "logo.png", content: "AAAA", contentType: "image/png", contentId: "logo", disposition: "inline" },
      ],
    })
    expect((await get(id)).attachments).toEqual([
      { filename: "grüße.txt", contentType: "text/plain", size: 7, contentId: null, disposition: "attachment" },
      { filename: "logo.png", contentType: "image/png", size: 3, contentId: "logo", disposition: "inline" },
    ])
  })

  test("is the item of the list with its content", async () => {
    const { id } = await sendOne({ to: { name: "Bo", email: "bo@example.com" } })
    await it.settle()
    const { html, text, headers, attachments, notice, attempts, nextAttemptAt, ...record } = await get(id)
    expect((await it.api("GET /emails?to=bo@example.com")).body).toEqual({ data: [record], hasMore: false, total: 1 })
    expect(
      [html, text, headers, attachments, notice, attempts, nextAttemptAt].every((part) => part !== undefined),
    ).toBe(true)
  })

  test("does not change when contact and template change, or when the template is deleted", async () => {
    const template = await createTemplate(it, { type: "TRANSACTIONAL", subject: "{{plan}}", body: "<p>{{plan}}</p>" })
    const from = { subject: undefined, body: undefined, from: undefined, template: template.id }
    const { id, contactId } = await sendOne({ ...from, to: "cy@example.com", data: { plan: "free" } })
    const before = await get(id)
    expect([before.subject, before.text]).toEqual(["free", "free"])
    await it.api(`PATCH /contacts/${contactId}`, { body: { email: "new@example.com", data: { plan: "pro" } } })
    await it.api(`PATCH /templates/${template.id}`, { body: { subject: "Other", body: "Other", from: "x@acme.test" } })
    expect(await get(id)).toEqual(before)
    await it.api(`DELETE /templates/${template.id}`)
    expect(await get(id)).toEqual({ ...before, templateId: null })
  })

  test("has the text of long HTML, and others are served while that is read", async () => {
    const { id } = await sendOne({ body: "<img alt=x>".repeat(80_000) })
    let turns = 0
    const turning = setInterval(() => turns++)
    const { text } = await get(id)
    clearInterval(turning)
    expect([text.length > 80_000, turns > 5]).toEqual([true, true])
  })

  test("has the reason of the last failed attempt and the time of the next, and neither once it is sent (contract A4.5.5)", async () => {
    it.transport.answer = () => ({ outcome: "deferred", reason: "451 try again later" })
    const { id } = await sendOne({})
    await it.settle()
    const next = (minutes: number) => new Date(it.clock.now() + minutes * 60_000).toISOString()
    const waiting = { status: "PENDING", error: "451 try again later", sentAt: null }
    expect(await get(id)).toMatchObject({ ...waiting, attempts: 1, nextAttemptAt: next(1) })
    await it.advance({ minutes: 1 })
    expect(await get(id)).toMatchObject({ ...waiting, attempts: 2, nextAttemptAt: next(5) })
    it.transport.answer = () => sent(null)
    await it.advance({ minutes: 5 })
    const sentAt = new Date(it.clock.now()).toISOString()
    expect(await get(id)).toMatchObject({ status: "SENT", error: null, sentAt, attempts: 3, nextAttemptAt: null })
  })
})
