import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { iso } from "../../src/kernel/clock.ts"
import { rejected, sent, unknownOutcome } from "../../src/mail/transport.ts"
import { emailTable, type Report } from "../../src/modules/emails/index.ts"
import { eventTable } from "../../src/modules/events/index.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { accept, marketing } from "../harness/mails.ts"
import { storedEvents } from "../harness/scenarios.ts"

const delivery: Report = { kind: "delivery" }
const bounce: Report = { kind: "bounce", bounceType: "Permanent" }
const undetermined: Report = { kind: "bounce", bounceType: "Undetermined" }
const transient: Report = { kind: "bounce", bounceType: "Transient" }
const complaint: Report = { kind: "complaint" }

let it: TestApp
let next = 0
beforeAll(async () => {
  // The bounces and complaints of these tests would disable the project.
  it = await startTestApp({ settings: { "security.auto_disable": "false" } })
})
afterAll(() => it.close())

interface Mailed {
  readonly id: string
  readonly contactId: string
}

/** One mail to a new subscribed contact. */
async function mailed(): Promise<Mailed> {
  const to = `to${next++}@example.com`
  await it.api("POST /contacts", { body: { email: to } })
  const { body } = await it.api("POST /v1/send", { body: { to, from: "hi@acme.test", subject: "Hi", body: "Hi" } })
  await it.settle()
  const [{ contact, email }] = body.data.emails
  return { id: email, contactId: contact.id }
}
/** Applies reports of a mail server on a message, a minute after the last one. */
async function report(id: string, ...reports: Report[]): Promise<string> {
  for (const one of reports) {
    await it.advance({ minutes: 1 })
    await it.app.store.write(it.project.id, (unit) => it.app.emails.report(unit, id, one))
  }
  return iso(it.clock.now())
}
const record = async (id: string) => (await it.api(`GET /emails/${id}`)).body
const happened = ({ contactId }: Mailed) => storedEvents(it, eq(eventTable.contactId, contactId))
const names = async (mail: Mailed): Promise<string[]> => (await happened(mail)).map(({ name }) => name)
const isSubscribed = async ({ contactId }: Mailed): Promise<boolean> =>
  (await it.api(`GET /contacts/${contactId}`)).body.subscribed

describe("Reports on a message (contract A4.5.1, A4.5.2)", () => {
  test.each<[string, Report[], string, string[]]>([
    ["nothing", [], "SENT", []],
    ["a delivery", [delivery], "DELIVERED", ["email.delivery"]],
    ["a delivery twice", [delivery, delivery], "DELIVERED", ["email.delivery"]],
    ["a bounce", [bounce], "BOUNCED", ["email.bounce", "contact.unsubscribed"]],
    ["a bounce twice", [bounce, bounce], "BOUNCED", ["email.bounce", "contact.unsubscribed"]],
    ["bounces of unknown kind", [undetermined, undetermined], "SENT", ["email.bounce", "email.bounce"]],
    [
      "a bounce after the delivery",
      [delivery, bounce],
      "BOUNCED",
      ["email.delivery", "email.bounce", "contact.unsubscribed"],
    ],
    [
      "a delivery after the bounce",
      [bounce, delivery],
      "BOUNCED",
      ["email.bounce", "contact.unsubscribed", "email.delivery"],
    ],
    ["transient bounces", [transient, transient], "SENT", ["email.bounce", "email.bounce"]],
    ["a transient bounce, then a delivery", [transient, delivery], "DELIVERED", ["email.bounce", "email.delivery"]],
    ["a complaint", [complaint, complaint], "COMPLAINED", ["email.complaint", "contact.unsubscribed"]],
    [
      "all of it, from behind",
      [complaint, bounce, transient, delivery],
      "COMPLAINED",
      ["email.complaint", "contact.unsubscribed", "email.bounce", "email.bounce", "email.delivery"],
    ],
  ])("%s", async (_, reports, status, events) => {
    const mail = await mailed()
    await report(mail.id, ...reports)
    expect((await record(mail.id)).status).toBe(status)
    expect(await names(mail)).toEqual(["email.sent", ...events])
    expect(await isSubscribed(mail)).toBe(!events.includes("contact.unsubscribed"))
  })

  test("set the time of the first of each kind, also when it is late", async () => {
    const { id } = await mailed()
    const complainedAt = await report(id, complaint)
    const bouncedAt = await report(id, bounce)
    const deliveredAt = await report(id, transient, delivery)
    const last = await report(id, transient)
    await report(id, complaint, bounce, delivery)
    const { status, error, openedAt, clickedAt, opens, ...times } = await record(id)
    expect(times).toMatchObject({ complainedAt, bouncedAt, deliveredAt })
    expect([status, error, openedAt, clickedAt, opens]).toEqual(["COMPLAINED", null, null, null, 0])
    expect(new Set([complainedAt, bouncedAt, deliveredAt, last]).size).toBe(4)
  })

  test("change updatedAt only when the record changes (contract A1.1.6)", async () => {
    const { id } = await mailed()
    const { updatedAt } = await record(id)
    await report(id, transient)
    expect((await record(id)).updatedAt).toBe(updatedAt)
    const deliveredAt = await report(id, delivery)
    await report(id, delivery)
    expect((await record(id)).updatedAt).toBe(deliveredAt)
  })

  test("cause events of the message and its contact (contract B4.4)", async () => {
    const mail = await mailed()
    const at = [await report(mail.id, delivery), await report(mail.id, transient), await report(mail.id, bounce)]
    const complainedAt = await report(mail.id, complaint)
    const base = { subject: "Hi", from: "hi@acme.test", fromName: "Acme", messageId: `${mail.id}@acme.test` }
    const common = { ...base, emailId: mail.id, templateId: null, campaignId: null, sourceType: "TRANSACTIONAL" }
    const events = await happened(mail)
    expect(events.map(({ name, data }) => [name, data]).slice(1)).toEqual([
      ["email.delivery", { ...common, deliveredAt: at[0] ?? "" }],
      ["email.bounce", { ...common, bounceType: "Transient", transientBounce: true }],
      ["email.bounce", { ...common, bounceType: "Permanent", bouncedAt: at[2] ?? "" }],
      ["contact.unsubscribed", { reason: "bounce" }],
      ["email.complaint", { ...common, complainedAt }],
    ])
    expect(events.map(({ projectId }) => projectId)).toEqual(events.map(() => it.project.id))
  })

  test("of a complaint unsubscribe with that reason, once", async () => {
    const mail = await mailed()
    await report(mail.id, complaint)
    expect((await happened(mail)).at(-1)).toMatchObject({ name: "contact.unsubscribed", data: { reason: "complaint" } })
    const again = await it.api("POST /v1/send", {
      body: { to: (await record(mail.id)).to, from: "hi@acme.test", subject: "Hi", body: "Hi" },
    })
    await it.settle()
    await report(again.body.data.emails[0].email, bounce)
    const flips = (await names(mail)).filter((name) => name.startsWith("contact."))
    expect(flips).toEqual(["contact.unsubscribed"])
  })

  test("of bounces and complaints prevent marketing mail only (contract B9.3)", async () => {
    const mail = await mailed()
    await report(mail.id, bounce)
    const { to } = await record(mail.id)
    const template = { name: "News", subject: "News", body: "News", from: "hi@acme.test" }
    const marketing = (await it.api("POST /templates", { body: template })).body.id
    expect((await it.api("POST /v1/send", { body: { to, template: marketing } })).status).toBe(400)
    const body = { to, from: "hi@acme.test", subject: "Hi", body: "Hi" }
    expect((await it.api("POST /v1/send", { body })).status).toBe(200)
  })
})

describe("A final status (contract A4.5.1)", () => {
  const endOf = async ({ id }: { id: string }, ...reports: Report[]) => {
    await report(id, ...reports)
    return (await record(id)).status
  }

  test("is FAILED, despite later reports", async () => {
    it.transport.answer = () => rejected("550 no such user")
    const mail = await mailed()
    it.transport.answer = () => sent(null)
    expect(await endOf(mail)).toBe("FAILED")
    expect(await endOf(mail, delivery, bounce, complaint)).toBe("FAILED")
    expect((await record(mail.id)).error).toBe("550 no such user")
  })

  test("is CANCELLED, despite later reports", async () => {
    const mail = await mailed()
    await it.app.store.write(it.project.id, async (unit) => {
      await unit.db.update(emailTable).set({ status: "CANCELLED" }).where(eq(emailTable.id, mail.id))
    })
    expect(await endOf(mail, delivery, bounce, complaint)).toBe("CANCELLED")
  })

  test("is not the unknown outcome: a report settles it (contract B1.6.6)", async () => {
    it.transport.answer = () => unknownOutcome("the connection died")
    const [id = ""] = await accept(it, marketing, "unknown@example.com")
    await it.settle()
    it.transport.answer = () => sent(null)
    expect(await record(id)).toMatchObject({ status: "FAILED", error: "outcome_unknown" })
    expect(await endOf({ id }, delivery)).toBe("DELIVERED")
    expect((await record(id)).error).toBeNull()
    expect(await endOf({ id }, complaint)).toBe("COMPLAINED")
  })
})

/** The mails of the project that rates are counted of (contract B9.4.1, B7.1.6). */
const sentMails = async (): Promise<number> => (await it.api("GET /activity/stats")).body.totalEmailsSent
/** The times at which the events of a message say that it was sent. */
async function sentEvents(emailId: string): Promise<unknown[]> {
  const { body } = await it.api("GET /events?eventName=email.sent&limit=100")
  return body.data.flatMap((event: { emailId: string; data: { sentAt: string } }) =>
    event.emailId === emailId ? [event.data.sentAt] : [],
  )
}

test.each<[Report, string]>([
  [delivery, "DELIVERED"],
  [bounce, "BOUNCED"],
  [complaint, "COMPLAINED"],
  [{ kind: "open" }, "OPENED"],
  [{ kind: "click", link: "https://acme.test/" }, "CLICKED"],
])("An unknown outcome is no longer an error once there is a report: %j (contract B1.6.6)", async (news, status) => {
  it.transport.answer = () => unknownOutcome("the connection died")
  const [id = ""] = await accept(it, marketing, `unknown${next++}@example.com`)
  await it.settle()
  it.transport.answer = () => sent(null)
  const handOver = new Date(it.clock.now()).toISOString()
  await it.advance({ minutes: 10 })
  expect((await record(id)).error).toBe("outcome_unknown")
  const [counted, reports] = [await sentMails(), await sentEvents(id)]
  await report(id, transient)
  expect(await record(id)).toMatchObject({ status: "FAILED", error: "outcome_unknown", sentAt: null })
  expect([await sentMails(), reports]).toEqual([counted, []])
  await report(id, news)
  expect(await record(id)).toMatchObject({ status, error: null, sentAt: handOver })
  await report(id, delivery)
  expect(await sentMails()).toBe(counted + 1)
  expect(await sentEvents(id)).toEqual([handOver])
})

test("A refusal of any length is reported, cut at its end (contract A4.5.5)", async () => {
  it.transport.answer = () => rejected(`550 ${"no ".repeat(10_000)}`)
  const { id } = await mailed()
  it.transport.answer = () => sent(null)
  const { status, error } = await record(id)
  expect(status).toBe("FAILED")
  expect(error).toStartWith("550 no no")
  expect(error.length).toBeLessThanOrEqual(1_000)
})
