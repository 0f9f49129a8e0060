import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { eventTable } from "../../src/modules/events/index.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { readDocument } from "../harness/openapi.ts"
import { countEffects, gained, storedEvents } from "../harness/scenarios.ts"
import { connectSmtp, type SmtpClient } from "../harness/smtp-client.ts"

let it: TestApp
let port: number
const clients: SmtpClient[] = []
beforeAll(async () => {
  it = await startTestApp({ mode: "sandbox", settings: { "smtp.submission_port": "0" } })
  port = (await it.app.start()).smtp.submission ?? 0
})
afterEach(() => {
  for (const client of clients.splice(0)) client.drop()
})
afterAll(() => it.close())

async function connect(): Promise<SmtpClient> {
  const client = await connectSmtp(port)
  clients.push(client)
  await client.reply()
  return client
}
const login = async (client: SmtpClient, user: string, password: string) => {
  await client.say("EHLO client.test")
  return client.say(`AUTH PLAIN ${Buffer.from(`\0${user}\0${password}`).toString("base64")}`)
}
const message = (...lines: string[]) =>
  ["From: App <app@local.test>", "Subject: Hi", ...lines, "", "Hello"].join("\r\n")

interface Submitted {
  readonly to?: string[]
  readonly from?: string
  readonly key?: string
  readonly raw?: string
}
/** Sends a message by SMTP and resolves to its records, oldest first. */
async function submit({ to = ["ada@example.com"], from = "app@local.test", key, raw = message() }: Submitted) {
  const client = await connect()
  if (key !== undefined) expect((await login(client, "anybody", key)).code).toBe(235)
  await client.envelope(from, ...to)
  const { code, text } = await client.data(raw)
  expect([code, text]).toEqual([250, expect.stringMatching(/^250 2\.0\.0 [0-9a-f-]{36}$/)])
  await it.settle()
  const { body } = await it.api(`GET /emails?limit=${to.length}`, { key: key ?? "sk_sandbox" })
  const records = body.data.toReversed()
  expect(text).toBe(`250 2.0.0 ${records[0].id}`)
  return records
}
const full = async (id: string) => (await it.api(`GET /emails/${id}`, { key: "sk_sandbox" })).body
const eventsOf = (contactId: string) => storedEvents(it, eq(eventTable.contactId, contactId))

test("The project Sandbox exists, with keys that are easy to type (contract A8.3.1)", async () => {
  const [project] = (await it.app.projects.list()).filter(({ name }) => name === "Sandbox")
  expect(project).toMatchObject({ secret: "sk_sandbox", publicKey: "pk_sandbox" })
  const tracked = await it.api("POST /v1/track", { key: "pk_sandbox", body: { email: "key@example.com", event: "e" } })
  expect(tracked.status).toBe(200)
  const contact = await it.api(`GET /contacts/${tracked.body.data.contact}`, { key: "sk_sandbox" })
  expect(contact.body.projectId).toBe(project?.id)
  for (const [route, key] of [
    ["POST /v1/track", "sk_sandbox"],
    ["GET /emails", "pk_sandbox"],
  ] as const)
    expect((await it.api(route, { key })).status).toBe(401)
})

test("Mail without a login belongs to the project Sandbox, and is delivered at once (contract A8.3.2, A8.3.4)", async () => {
  const before = await countEffects(it)
  const [record] = await submit({ raw: message('To: "Lovelace, Ada" <Ada@Example.com>', "Reply-To: help@local.test") })
  expect(gained(before, await countEffects(it))).toEqual({
    events: { "email.sent": 1, "email.delivery": 1 },
    mails: 1,
    contacts: 1,
  })
  expect(record).toMatchObject({
    to: "ada@example.com",
    toName: "Lovelace, Ada",
    from: "app@local.test",
    fromName: "App",
    replyTo: "help@local.test",
    subject: "Hi",
    type: "TRANSACTIONAL",
    sourceType: "TRANSACTIONAL",
    templateId: null,
    status: "DELIVERED",
    error: null,
    sentAt: "2026-01-31T09:15:00.000Z",
    deliveredAt: "2026-01-31T09:15:00.000Z",
  })
  expect((await eventsOf(record.contactId)).map(({ name, emailId }) => [name, emailId])).toEqual([
    ["email.sent", record.id],
    ["email.delivery", record.id],
  ])
  const contact = await it.api(`GET /contacts/${record.contactId}`, { key: "sk_sandbox" })
  expect(contact.body).toMatchObject({ email: "ada@example.com", subscribed: false, data: {} })
})

test("A login with a secret key selects its project, with any user name (contract A8.3.4)", async () => {
  const [record] = await submit({ key: it.project.secret })
  expect(record.projectId).toBe(it.project.id)
  const [own] = await submit({ key: "sk_sandbox" })
  expect(own.projectId).not.toBe(it.project.id)
  const client = await connect()
  expect((await login(client, "", "sk_sandbox")).code).toBe(235)
})

test("A login with anything else is refused, and stores nothing (contract A8.3.4)", async () => {
  // Another kind of key is not accepted here.
  await it.api("POST /v1/track", { key: "pk_sandbox", body: { email: "ada@example.com", event: "login" } })
  const before = await countEffects(it)
  const passwords = ["pk_sandbox", it.project.publicKey, "sk_", "sandbox", ""]
  for (const password of passwords)
    expect([password, (await login(await connect(), "sk_sandbox", password)).code]).toEqual([password, 535])
  expect(gained(before, await countEffects(it))).toEqual({ events: {}, mails: 0, contacts: 0 })
})

test("Mail to a project that is disabled is refused, before and after the login, and stores nothing (contract B9.4.5)", async () => {
  const [sandbox] = (await it.app.projects.list()).filter(({ name }) => name === "Sandbox")
  const [open, keyed] = [await connect(), await connect()]
  await login(keyed, "anybody", "sk_sandbox")
  const before = await countEffects(it)
  const hand = async (client: SmtpClient) => {
    await client.envelope("app@local.test", "ada@example.com")
    const { code, text } = await client.data(message())
    return [code, text.slice(0, 9)]
  }
  await it.app.projects.setDisabled(sandbox?.id ?? "", "MANUAL")
  const late = await connect()
  const loggedIn = await login(late, "anybody", "sk_sandbox")
  const heard = [await hand(open), await hand(keyed), await hand(late)]
  const stored = gained(before, await countEffects(it))
  await it.app.projects.setDisabled(sandbox?.id ?? "", null)
  // The key of a disabled project is not a wrong one: 535 would send people to look for another.
  expect(loggedIn.code).toBe(235)
  expect(heard).toEqual(Array.from({ length: 3 }, () => [550, "550 5.7.1"]))
  expect(stored).toEqual({ events: {}, mails: 0, contacts: 0 })
  for (const client of [open, keyed]) expect((await hand(client))[0]).toBe(250)
})

test("Each recipient of the envelope gets a mail, whether named in the message or not", async () => {
  const raw = message("To: Bo <bo@example.com>, nobody@example.com", "Cc: cy@example.com")
  const records = await submit({ to: ["bo@example.com", "cy@example.com", "hidden@example.com"], raw })
  expect(records.map(({ to, toName }: { to: string; toName: string | null }) => [to, toName])).toEqual([
    ["bo@example.com", "Bo"],
    ["cy@example.com", null],
    ["hidden@example.com", null],
  ])
  for (const { id } of records) {
    const answer = await it.api(`GET /emails/${id}/raw`, { key: "sk_sandbox" })
    expect([answer.headers.get("content-type"), answer.body.trimEnd()]).toEqual(["message/rfc822", raw])
  }
})

test.each([
  ["bounce+smtp@simulator.test", "BOUNCED", ["email.sent", "email.bounce", "contact.unsubscribed"]],
  ["Softbounce@Simulator.test", "SENT", ["email.sent", "email.bounce"]],
  [
    "complaint+smtp@simulator.test",
    "COMPLAINED",
    ["email.sent", "email.delivery", "email.complaint", "contact.unsubscribed"],
  ],
  ["fail+smtp@simulator.test", "FAILED", []],
])("Mail to %s ends %s (contract A8.3.3)", async (to, status, events) => {
  await it.api("POST /contacts", { key: "sk_sandbox", body: { email: to } })
  const [record] = await submit({ to: [to] })
  expect([record.status, record.sentAt === null, record.deliveredAt === null]).toEqual([
    status,
    status === "FAILED",
    !events.includes("email.delivery"),
  ])
  expect(typeof record.error).toBe(status === "FAILED" ? "string" : "object")
  expect((await eventsOf(record.contactId)).map(({ name }) => name)).toEqual(events)
  const contact = await it.api(`GET /contacts/${record.contactId}`, { key: "sk_sandbox" })
  expect(contact.body.subscribed).toBe(!events.includes("contact.unsubscribed"))
})

test("Content is literal, not a template, and shown completely (contract B9.6.1)", async () => {
  const raw = [
    "From: app@local.test",
    "To: ada@example.com",
    "Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe_{{name}}?=",
    "Message-ID: <own@local.test>",
    "X-Tag: a",
    "Received: from nowhere",
    "DKIM-Signature: v=1",
    "MIME-Version: 1.0",
    "Content-Type: multipart/mixed; boundary=b",
    "",
    "--b",
    "Content-Type: text/html; charset=utf-8",
    "",
    "<p>{{name}} {{#if}}</p>",
    "--b",
    "Content-Type: text/csv; name=a.csv",
    "Content-Disposition: attachment; filename=a.csv",
    "",
    "a,b",
    "--b--",
  ].join("\r\n")
  const [{ id }] = await submit({ raw })
  const email = await full(id)
  expect(email).toMatchObject({ subject: "Grüße {{name}}", fromName: null, messageId: "own@local.test" })
  expect(email.html).toContain("<p>{{name}} {{#if}}</p>")
  expect(email.attachments).toEqual([
    { filename: "a.csv", contentType: "text/csv", size: 3, contentId: null, disposition: "attachment" },
  ])
  expect(email.headers).toEqual({
    From: "app@local.test",
    To: "ada@example.com",
    Subject: "Grüße {{name}}",
    "Message-ID": "<own@local.test>",
    "X-Tag": "a",
  })
})

test("Text without HTML is shown as written", async () => {
  const [{ id }] = await submit({ raw: message().replace("Hello", "1 < 2 & so on\r\n  on two lines") })
  const email = await full(id)
  expect(email.text.trimEnd()).toBe("1 < 2 & so on\n  on two lines")
  expect(email.html).toContain("1 &lt; 2 &amp; so on\n  on two lines")
})

test("Of repeated headers the first counts, in the record and in its headers (contract B9.6.8)", async () => {
  const raw = message("From: b@evil.test", "Subject: second", "subject: third")
  const [record] = await submit({ raw })
  expect((await full(record.id)).headers).toEqual({ From: "App <app@local.test>", Subject: "Hi" })
})

test("A message without headers has no subject, and is from its envelope sender", async () => {
  const [record] = await submit({ from: "bare@local.test", raw: "\r\njust text" })
  expect(record).toMatchObject({ from: "bare@local.test", fromName: null, subject: "(no subject)", replyTo: null })
  expect(record.messageId).toContain(record.id)
})

test("Sender and reply address are in lower case, like all addresses (contract A1.2.6)", async () => {
  const raw = message("Reply-To: Help <HELP@Local.test>").replace("app@local.test", " App@LOCAL.test ")
  const [record] = await submit({ raw })
  expect([record.from, record.replyTo]).toEqual(["app@local.test", "help@local.test"])
  const [bare] = await submit({ from: "App@LOCAL.test", raw: "Subject: Hi\r\n\r\nHello" })
  expect([bare.from, bare.replyTo]).toEqual(["app@local.test", null])
})

test("Mail to an invalid address is stored without a contact, and found ignoring case", async () => {
  const before = await countEffects(it)
  const [record] = await submit({ to: ["Root@localhost"], raw: message("To: The Root <ROOT@localhost>") })
  const { to, toName, contactId, status } = record
  expect([to, toName, contactId, status]).toEqual(["root@localhost", "The Root", null, "DELIVERED"])
  expect(gained(before, await countEffects(it)).contacts).toBe(0)
  const { body } = await it.api("GET /emails?to=ROOT@localhost", { key: "sk_sandbox" })
  expect(body.data).toMatchObject([{ id: record.id }])
})

test("DELETE /emails deletes it, and a message to many only with the last of its records (contract A8.3.5)", async () => {
  const [first, second] = await submit({ to: ["one@example.com", "two@example.com"] })
  const remove = (id: string) => it.api(`DELETE /emails/${id}`, { key: "sk_sandbox" })
  const raw = async (id: string) => (await it.api(`GET /emails/${id}/raw`, { key: "sk_sandbox" })).status
  expect((await remove(first.id)).status).toBe(204)
  expect([await raw(first.id), await raw(second.id)]).toEqual([404, 200])
  expect((await it.api("DELETE /emails", { key: "sk_sandbox" })).status).toBe(204)
  expect(await raw(second.id)).toBe(404)
  expect((await it.api("GET /emails", { key: "sk_sandbox" })).body.total).toBe(0)
  expect((await it.api("GET /emails")).body.total).toBe(1)
})

test("Without login, mail to a registered domain comes in, other recipients are submissions (contract B9.6.2)", async () => {
  expect((await it.api("POST /domains", { key: "sk_sandbox", body: { domain: "in.test" } })).status).toBe(201)
  const before = await countEffects(it)
  const client = await connect()
  await client.envelope("app@local.test", "support@in.test", "ada@example.com")
  const { text } = await client.data(message("To: support@in.test"))
  await it.settle()
  const { body } = await it.api("GET /emails?limit=2", { key: "sk_sandbox" })
  const [came, left] = body.data
  expect(came).toMatchObject({ to: "support@in.test", sourceType: "INBOUND", status: "RECEIVED" })
  expect(left).toMatchObject({ to: "ada@example.com", sourceType: "TRANSACTIONAL", status: "DELIVERED" })
  expect(text).toBe(`250 2.0.0 ${left.id}`)
  const [event] = (await eventsOf(came.contactId)).filter(({ name }) => name === "email.received")
  expect(event?.data).toMatchObject({ from: "app@local.test", to: "support@in.test", spfVerdict: null })
  expect(gained(before, await countEffects(it)).mails).toBe(2)
  expect((await full(came.id)).text.trim()).toBe("Hello")

  const [mine] = await submit({ to: ["support@in.test"], key: "sk_sandbox" })
  expect(mine).toMatchObject({ to: "support@in.test", sourceType: "TRANSACTIONAL" })
})

test("Mail whose addresses are none answers as /openapi.json says (contract A8.3.4)", async () => {
  const document = readDocument((await it.api("GET /openapi.json", { key: "none" })).body)
  const odd = [
    { from: "", to: ["ada@example.com"], raw: "Subject: nobody\r\n\r\nHello" },
    { from: "cron@localhost", to: ["root@localhost"], raw: "From: cron@localhost\r\nSubject: cron\r\n\r\nHello" },
    { from: "app@local.test", to: ["postmaster"], raw: message() },
  ]
  for (const one of odd) {
    const [{ id, to }] = await submit(one)
    expect([to]).toEqual(one.to)
    const routes = ["GET /emails", "GET /emails/{id}", "GET /inbox", "GET /inbox/{id}", "GET /activity", "GET /events"]
    for (const route of routes) {
      const answer = await it.api(route.replace("{id}", id), { key: "sk_sandbox" })
      expect([route, to, ...document.faultsOfAnswer(document.operation(route), answer)]).toEqual([route, to])
    }
  }
})

test("A key that is rotated during a session takes no more mail (contract A1.5.1)", async () => {
  const { id, secret } = it.project
  const client = await connect()
  expect((await login(client, "anybody", secret)).code).toBe(235)
  await it.app.projects.settings.rotateKeys(id)
  await client.envelope("app@local.test", "ada@example.com")
  expect((await client.data(message())).text).toStartWith("550 5.7.1")
})
