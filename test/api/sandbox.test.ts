import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { simpleParser } from "mailparser"
import { emailTable } from "../../src/modules/emails/index.ts"
import { eventTable } from "../../src/modules/events/index.ts"
import { capturedTable, rawMessageTable } from "../../src/modules/originals/index.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { receiveInSandbox } from "../harness/sandbox-intake.ts"
import { countEffects, gained, storedEvents } from "../harness/scenarios.ts"

const mail = { from: "hi@anything.example", subject: "Hi", body: "<p>Hi</p>" }

let it: TestApp
beforeAll(async () => {
  it = await startTestApp({ mode: "sandbox" })
})
afterAll(() => it.close())

/** Sends to one address and lets the sandbox process it; resolves to the ids. */
async function send(to: string, body: object = {}, key = "sk"): Promise<{ id: string; contactId: string }> {
  const answer = await it.api("POST /v1/send", { key, body: { ...mail, to, ...body } })
  expect([to, answer.status]).toEqual([to, 200])
  await it.settle()
  const [{ contact, email }] = answer.body.data.emails
  return { id: email, contactId: contact.id }
}
const record = async (id: string) => (await it.api(`GET /emails/${id}`)).body
const eventsOf = (contactId: string) => storedEvents(it, eq(eventTable.contactId, contactId))

describe("The simulator (contract A8.3.2, A8.3.3)", () => {
  const outcomes = {
    delivered: { status: "DELIVERED", times: ["sentAt", "deliveredAt"], events: ["email.sent", "email.delivery"] },
    bounce: { status: "BOUNCED", times: ["sentAt", "bouncedAt"], events: ["email.sent", "email.bounce", "left"] },
    softbounce: { status: "SENT", times: ["sentAt"], events: ["email.sent", "email.bounce"] },
    complaint: {
      status: "COMPLAINED",
      times: ["sentAt", "deliveredAt", "complainedAt"],
      events: ["email.sent", "email.delivery", "email.complaint", "left"],
    },
    fail: { status: "FAILED", times: [], events: [] },
  } as const

  test.each<[string, keyof typeof outcomes]>([
    ["ada@example.com", "delivered"],
    ["bounce@simulator.test", "bounce"],
    ["bounce+tag@simulator.test", "bounce"],
    ["Bounce+One+Two@Simulator.TEST", "bounce"],
    ["softbounce@simulator.test", "softbounce"],
    ["softbounce+x@simulator.test", "softbounce"],
    ["complaint@simulator.test", "complaint"],
    ["complaint+@simulator.test", "complaint"],
    ["fail@simulator.test", "fail"],
    ["fail+1@simulator.test", "fail"],
    ["anybody@simulator.test", "delivered"],
    ["bounces@simulator.test", "delivered"],
    ["my.bounce@simulator.test", "delivered"],
    ["tag+bounce@simulator.test", "delivered"],
    ["bounce@mail.simulator.test", "delivered"],
    ["bounce@simulator.test.example", "delivered"],
    ["bounce@example.com", "delivered"],
  ])("gives mail to %s the outcome %s", async (to, outcome) => {
    const { status, times, events } = outcomes[outcome]
    await it.api("POST /contacts", { body: { email: to } })
    const { id, contactId } = await send(to)
    const { error, ...email } = await record(id)
    expect(email.status).toBe(status)
    const all = ["sentAt", "deliveredAt", "openedAt", "clickedAt", "bouncedAt", "complainedAt"]
    expect(all.filter((time) => email[time] !== null)).toEqual([...times])
    expect(typeof error).toBe(outcome === "fail" ? "string" : "object")
    const happened = await eventsOf(contactId)
    expect(happened.map(({ name }) => name)).toEqual(
      events.map((name) => (name === "left" ? "contact.unsubscribed" : name)),
    )
    const left = events.some((name) => name === "left")
    if (left) expect(happened.at(-1)?.data).toEqual({ reason: outcome })
    expect((await it.api(`GET /contacts/${contactId}`)).body.subscribed).toBe(!left)
    expect((await it.api(`GET /emails/${id}/raw`)).status).toBe(outcome === "fail" ? 404 : 200)
  })

  test("reports a soft bounce each time, and its kind", async () => {
    const { contactId } = await send("softbounce+again@simulator.test")
    await send("softbounce+again@simulator.test")
    const bounces = (await eventsOf(contactId)).filter(({ name }) => name === "email.bounce")
    const transient = { bounceType: "Transient", transientBounce: true }
    expect(bounces).toMatchObject([{ data: transient }, { data: transient }])
  })

  test("reports a bounce as permanent, and sends no marketing from then on", async () => {
    const template = { name: "News", subject: "News", body: "News", from: "hi@anything.example" }
    const { id } = (await it.api("POST /templates", { body: template })).body
    const to = "bounce+news@simulator.test"
    const { contactId } = await send(to, { template: id, subscribed: true })
    expect((await eventsOf(contactId)).find(({ name }) => name === "email.bounce")?.data).toMatchObject({
      bounceType: "Permanent",
      bouncedAt: "2026-01-31T09:15:00.000Z",
    })
    expect((await it.api("POST /v1/send", { body: { to, template: id } })).status).toBe(400)
  })

  test("handles each of many recipients", async () => {
    const names = ["ok", "bounce+many", "fail+many", "complaint+many", "softbounce+many"]
    const to = names.map((name) => `${name}@simulator.test`)
    const { body } = await it.api("POST /v1/send", { body: { ...mail, to } })
    await it.settle()
    const statuses = body.data.emails.map(async ({ email }: { email: string }) => (await record(email)).status)
    expect(await Promise.all(statuses)).toEqual(["DELIVERED", "BOUNCED", "FAILED", "COMPLAINED", "SENT"])
  })

  test("reports once, however often it runs", async () => {
    await send("complaint+once@simulator.test", { subscribed: true })
    const before = await countEffects(it)
    await it.settle()
    await it.advance({ days: 2 })
    expect(gained(before, await countEffects(it))).toEqual({ events: {}, mails: 0, contacts: 0 })
  })
})

test("Every sender domain is verified, and all other rules apply (contract A8.3.1, A8.3.2)", async () => {
  for (const from of ["hi@gmail.com", "hi@localhost.test", "hi@xn--bcher-kva.example"]) await send("a@b.test", { from })
  for (const body of [{ from: "hi" }, { from: "hi@localhost" }, { subject: "a\nb" }, { body: "{{#if}}" }]) {
    const answer = await it.api("POST /v1/send", { body: { ...mail, to: "a@b.test", ...body } })
    expect([body, answer.status]).toEqual([body, 422])
  }
})

test("Nothing is throttled (contract A8.3.2)", async () => {
  const to = Array.from({ length: 300 }, (_, at) => `crowd${at}@example.com`)
  const before = (await it.api("GET /emails?status=DELIVERED")).body.total
  expect((await it.api("POST /v1/send", { body: { ...mail, to } })).status).toBe(200)
  await it.settle()
  expect((await it.api("GET /emails?status=DELIVERED")).body.total - before).toBe(300)
})

describe("GET /emails/{id}/raw (contract A8.3.5)", () => {
  test("is the message as it would be sent", async () => {
    const { id } = await send("ada@example.com", {
      subject: "Grüße",
      headers: { "X-Tag": "a" },
      attachments: [{ filename: "a.txt", content: "aGVsbG8=", contentType: "text/plain" }],
    })
    const answer = await it.api(`GET /emails/${id}/raw`)
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "message/rfc822"])
    const head = await it.api(`HEAD /emails/${id}/raw`)
    expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(answer.body)))
    const parsed = await simpleParser(answer.body)
    expect([parsed.subject, parsed.messageId, parsed.headers.get("x-tag"), parsed.text?.trim()]).toEqual([
      "Grüße",
      `<${id}@anything.example>`,
      "a",
      "Hi",
    ])
    expect(parsed.attachments.map(({ filename, content }) => [filename, content.toString()])).toEqual([
      ["a.txt", "hello"],
    ])
    expect(answer.body).not.toMatch(/[^\r]\n/)
  })

  test("is 404 before the message is captured, and for an unknown message or one of another project", async () => {
    const other = await it.app.projects.create("Other")
    const { id: theirs } = await send("ada@example.com", {}, other.secret)
    expect((await it.api(`GET /emails/${theirs}/raw`, { key: other.secret })).status).toBe(200)
    const { body } = await it.api("POST /v1/send", { body: { ...mail, to: "ada@example.com" } })
    const waiting = body.data.emails[0].email
    for (const id of [waiting, theirs, "x", "0199c0de-0000-7000-9000-00000000ffff"]) {
      const answer = await it.api(`GET /emails/${id}/raw`)
      expect([id, answer.status, answer.body.error?.code]).toEqual([id, 404, "RESOURCE_NOT_FOUND"])
    }
    expect((await it.api(`GET /emails/${waiting}/raw`)).body.error.message).toStartWith("There is no message of this")
    await it.settle()
    expect((await it.api(`GET /emails/${waiting}/raw`)).status).toBe(200)
  })
})

describe("DELETE /emails (contract A8.3.5)", () => {
  const countRaw = async () => [
    await it.app.store.read.$count(rawMessageTable),
    await it.app.store.read.$count(capturedTable),
  ]

  test("deletes all mail of the project, with any status, and nothing else", async () => {
    const other = await it.app.projects.create("Neighbour")
    expect((await it.api("DELETE /emails", { key: other.secret })).status).toBe(204)
    const { id: theirs } = await send("ada@example.com", {}, other.secret)
    const { id, contactId } = await send("ada@example.com")
    await send("fail@simulator.test")
    const { body } = await it.api("POST /v1/send", { body: { ...mail, to: "ada@example.com" } })
    const events = (await countEffects(it)).events
    expect((await it.api("GET /emails")).body.total).toBeGreaterThan(2)

    const answer = await it.api("DELETE /emails")
    expect([answer.status, answer.body]).toEqual([204, undefined])
    expect((await it.api("GET /emails")).body).toEqual({ data: [], hasMore: false, total: 0 })
    for (const gone of [id, body.data.emails[0].email])
      for (const path of [gone, `${gone}/raw`]) expect((await it.api(`GET /emails/${path}`)).status).toBe(404)
    expect((await it.api(`GET /contacts/${contactId}`)).status).toBe(200)
    expect((await it.api(`GET /emails/${theirs}/raw`, { key: other.secret })).status).toBe(200)

    await it.settle()
    expect((await it.api("GET /emails")).body.total).toBe(0)
    expect((await countEffects(it)).events).toEqual(events)
    expect((await it.api("DELETE /emails")).status).toBe(204)
    await it.api("DELETE /emails", { key: other.secret })
    const elsewhere = (await it.app.projects.list()).filter(({ name }) => name === "Other")
    for (const { secret } of elsewhere) await it.api("DELETE /emails", { key: secret })
    expect(await countRaw()).toEqual([0, 0])
  })

  test.each([
    ["all mail", () => "DELETE /emails"],
    ["the last one", (mail: string) => `DELETE /emails/${mail}`],
    ["the message of it", (mail: string) => `DELETE /emails/${mail}?message=true`],
  ])("ends a campaign when it deletes what that waits for: %s (contract B1.2.5)", async (_, route) => {
    await it.api("POST /contacts", { body: { email: "defer@simulator.test" } })
    const content = { name: "News", subject: "News", body: "<p>Hi</p>", from: mail.from, audienceType: "ALL" }
    const { id } = (await it.api("POST /campaigns", { body: content })).body.data
    await it.api(`POST /campaigns/${id}/send`, { body: {} })
    await it.settle()
    const status = async () => (await it.api(`GET /campaigns/${id}`)).body.data.status
    expect(await status()).toBe("SENDING")
    const [waiting] = (await it.api("GET /emails?status=PENDING")).body.data
    expect((await it.api(route(waiting.id))).status).toBe(204)
    await it.settle()
    expect(await status()).toBe("SENT")
    await it.api("DELETE /emails")
  })

  test("deletes much mail in short units, each of whole messages", async () => {
    const { store } = it.app
    const recipients = ["a@example.com", "b@example.com", "c@example.com"]
    for (let sent = 0; sent < 110; sent++) await receiveInSandbox(it, "Subject: Hi\r\n\r\nHello\r\n", { recipients })
    const left: number[] = []
    const { write } = store
    const counting: typeof write = async (scope, work) => {
      const result = await write(scope, work)
      left.push(await store.read.$count(emailTable, eq(emailTable.projectId, it.project.id)))
      return result
    }
    Object.assign(store, { write: counting })
    expect((await it.api("DELETE /emails")).status).toBe(204)
    Object.assign(store, { write })
    expect([...new Set(left)]).toEqual([228, 126, 24, 0])
    expect(await countRaw()).toEqual([0, 0])
  })

  test("deletes a single message on request", async () => {
    const [{ id: first }, { id: second }] = [await send("a@example.com"), await send("b@example.com")]
    expect((await it.api(`DELETE /emails/${first.toUpperCase()}`)).status).toBe(204)
    expect((await it.api(`DELETE /emails/${first}`)).status).toBe(404)
    expect((await it.api(`DELETE /emails/x`)).status).toBe(404)
    expect((await it.api("GET /emails")).body.data.map((one: { id: string }) => one.id)).toEqual([second])
    const other = await it.app.projects.create("Stranger")
    expect((await it.api(`DELETE /emails/${second}`, { key: other.secret })).status).toBe(404)
    expect((await it.api(`GET /emails/${second}/raw`)).status).toBe(200)
    expect(await countRaw()).toEqual([1, 1])
  })
})

test.each(["serve", "sandbox"] as const)(
  "Under %s both are there or are not, for anybody (contract A8.3.5)",
  async (mode) => {
    const elsewhere = await startTestApp({ mode })
    const { body } = await elsewhere.api("POST /v1/send", { body: { ...mail, from: "hi@acme.test", to: "a@b.test" } })
    await elsewhere.settle()
    const [{ email: id }] = body.data.emails
    const rows = []
    for (const route of [`GET /emails/${id}/raw`, "DELETE /emails/x", "DELETE /emails"])
      for (const key of ["none", "pk", "sk"]) rows.push((await elsewhere.api(route, { key })).status)
    expect(rows).toEqual(mode === "serve" ? Array(9).fill(404) : [401, 401, 200, 401, 401, 404, 401, 401, 204])
    expect((await elsewhere.api("GET /emails")).body.total).toBe(mode === "serve" ? 1 : 0)
    await elsewhere.close()
  },
)
