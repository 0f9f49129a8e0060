import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { sql } from "drizzle-orm"
import { iso } from "../../src/kernel/clock.ts"
import type { Report } from "../../src/modules/emails/index.ts"
import { idValue } from "../../src/store/dialect.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { runBulk } from "../harness/bulk.ts"
import { accept, rowOf, workflowMail } from "../harness/mails.ts"
import { refuseChanges } from "../harness/refused-changes.ts"

let it: TestApp
let next = 0
beforeAll(async () => {
  it = await startTestApp({ settings: { "limits.requests_per_minute": "0" } })
})
afterAll(() => it.close())

interface Told {
  readonly name: string
  readonly data: object
  readonly emailId: string | null
}

const templateId = async (): Promise<string> => {
  const content = { name: "Welcome", subject: "Hi {{plan}}", body: "<p>Hi</p>", from: "hi@acme.test", fromName: "Acme" }
  return (await it.api("POST /templates", { body: { ...content, type: "TRANSACTIONAL" } })).body.id
}

/** A campaign that is being sent. */
async function sendingCampaign(): Promise<string> {
  const id = it.ids.next()
  await it.app.store.write(it.project.id, async (unit) => {
    await unit.db.run(sql`INSERT INTO campaign
      (id, project_id, name, subject, body, from_address, type, status, audience_type, created_at, updated_at)
      VALUES (${idValue(id)}, ${idValue(it.project.id)}, 'News', 'Hi', 'Hi', 'hi@acme.test', 'MARKETING', 'SENDING', 'ALL', 1, 1)`)
  })
  return id
}

/** A new contact, with its events. */
async function somebody() {
  const email = `somebody${next++}@example.com`
  const { id } = (await it.api("POST /contacts", { body: { email, data: { plan: "pro" } } })).body
  return {
    id,
    email,
    subscribed: async (): Promise<boolean> => (await it.api(`GET /contacts/${id}`)).body.subscribed,
    /** Its events as shown to clients, oldest first. */
    async told(): Promise<Told[]> {
      const { data } = (await it.api(`GET /events/contact/${id}`)).body
      return data.reverse().map(({ name, data, emailId }: Told) => ({ name, data, emailId }))
    },
  }
}
type Somebody = Awaited<ReturnType<typeof somebody>>

const report = (id: string, report: Report) =>
  it.app.store.write(it.project.id, (unit) => it.app.emails.report(unit, id, report))
const content = { from: { name: "Ann", email: "Ann@acme.test" }, subject: "Hi {{plan}}", body: "Hi" }
async function mailed({ email }: Somebody, body: object = content): Promise<string> {
  const answer = await it.api("POST /v1/send", { body: { to: email, ...body } })
  await it.settle()
  return answer.body.data.emails[0].email
}

describe("the data of an event about a message (contract B4.4.1, 2, 5 and 6)", () => {
  test("of a message sent by the API", async () => {
    const who = await somebody()
    const emailId = await mailed(who)
    await it.advance({ minutes: 1 })
    for (const kind of ["delivery", "complaint"] as const) await report(emailId, { kind })
    for (const bounceType of ["Transient", "Undetermined", "Permanent"] as const)
      await report(emailId, { kind: "bounce", bounceType })
    const [at, base] = [
      iso(it.clock.now()),
      {
        subject: "Hi pro",
        from: "ann@acme.test",
        fromName: "Ann",
        messageId: `${emailId}@acme.test`,
        emailId,
        templateId: null,
        campaignId: null,
        sourceType: "TRANSACTIONAL",
      },
    ]
    const { sentAt } = (await it.api(`GET /emails/${emailId}`)).body
    expect(await who.told()).toEqual([
      { name: "email.sent", emailId, data: { ...base, sentAt } },
      { name: "email.delivery", emailId, data: { ...base, deliveredAt: at } },
      { name: "email.complaint", emailId, data: { ...base, complainedAt: at } },
      { name: "contact.unsubscribed", emailId: null, data: { reason: "complaint" } },
      { name: "email.bounce", emailId, data: { ...base, bounceType: "Transient", transientBounce: true } },
      { name: "email.bounce", emailId, data: { ...base, bounceType: "Undetermined", transientBounce: true } },
      { name: "email.bounce", emailId, data: { ...base, bounceType: "Permanent", bouncedAt: at } },
    ])
  })

  test("contains the template, and no sender name if there is none", async () => {
    const who = await somebody()
    const template = await templateId()
    const emailId = await mailed(who, { template })
    const [plain] = await accept(it, { ...workflowMail, fromName: null }, who.email)
    await it.settle()
    expect((await who.told()).map(({ data }) => data)).toMatchObject([
      { emailId, templateId: template, subject: "Hi pro", fromName: "Acme", campaignId: null },
      { emailId: plain, templateId: null, fromName: null, sourceType: "WORKFLOW" },
    ])
  })

  test("contains the campaign", async () => {
    const who = await somebody()
    const campaignId = await sendingCampaign()
    const [emailId] = await accept(it, { source: { kind: "campaign", id: campaignId }, type: "MARKETING" }, who.email)
    await it.settle()
    expect(await who.told()).toMatchObject([
      { name: "email.sent", emailId, data: { campaignId, sourceType: "CAMPAIGN" } },
    ])
  })
})

describe("unsubscriptions and subscriptions (contract B4.4.8 and 9)", () => {
  const left = (reason: string) => ({ name: "contact.unsubscribed", emailId: null, data: { reason } })
  const back = { name: "contact.subscribed", emailId: null, data: {} }
  const flips = async (who: Somebody) => (await who.told()).filter(({ name }) => name.startsWith("contact."))

  const ways: [way: string, turn: (who: Somebody, subscribed: boolean) => Promise<unknown>, reason: string][] = [
    ["an update", ({ id }, subscribed) => it.api(`PATCH /contacts/${id}`, { body: { subscribed } }), "api"],
    ["an upsert", ({ email }, subscribed) => it.api("POST /contacts", { body: { email, subscribed } }), "api"],
    ["track", ({ email }, subscribed) => it.api("POST /v1/track", { body: { email, event: "e", subscribed } }), "api"],
    [
      "a track of the server",
      ({ email }, subscribed) => it.api("POST /events/track", { body: { email, event: "e", subscribed } }),
      "api",
    ],
    ["send", (who, subscribed) => mailed(who, { ...content, subscribed }), "api"],
    [
      "a bulk job",
      ({ id }, subscribed) => runBulk(it, subscribed ? "subscribe" : "unsubscribe", { contactIds: [id] }),
      "bulk",
    ],
  ]

  test.each(ways)("by %s are recorded once for each change", async (_, turn, reason) => {
    const who = await somebody()
    for (const subscribed of [true, false, false, true, true]) await turn(who, subscribed)
    expect(await flips(who)).toEqual([left(reason), back])
  })

  test("are not recorded for a new contact, nor by an import", async () => {
    const email = `somebody${next++}@example.com`
    const { id } = (await it.api("POST /contacts", { body: { email, subscribed: false } })).body
    const form = new FormData()
    form.append("file", new File([`email,subscribed\n${email},true\nnew${email},false\n`], "people.csv"))
    expect((await it.api("POST /contacts/import", { raw: form })).status).toBe(202)
    await it.settle()
    const events = (await it.api("GET /events?limit=100")).body.data
    expect(events.filter(({ contact }: { contact: { email: string } }) => contact.email.endsWith(email))).toEqual([])
    expect((await it.api(`GET /contacts/${id}`)).body.subscribed).toBe(false)
  })
})

describe("an event that cannot be stored rolls back its cause (contract B4.4.11)", () => {
  /** Makes storing events fail during the work. */
  async function withoutEvents(work: () => Promise<unknown>): Promise<void> {
    const allow = await refuseChanges(it.app.store, { change: "INSERT", table: "event" })
    await work().catch(() => {})
    await allow()
  }

  const flips: [cause: string, work: (who: Somebody) => Promise<unknown>][] = [
    ["an update", ({ id }) => it.api(`PATCH /contacts/${id}`, { body: { subscribed: false } })],
    ["track", ({ email }) => it.api("POST /v1/track", { body: { email, event: "e", subscribed: false } })],
    ["send", ({ email }) => it.api("POST /v1/send", { body: { ...content, to: email, subscribed: false } })],
    ["a bulk job", ({ id }) => runBulk(it, "unsubscribe", { contactIds: [id] })],
  ]
  test.each(flips)("%s leaves the subscription as it was", async (_, work) => {
    const who = await somebody()
    await withoutEvents(() => work(who))
    expect([await who.subscribed(), await who.told()]).toEqual([true, []])
    await it.advance({ hours: 1 })
  })

  test.each<Report>([{ kind: "delivery" }, { kind: "bounce", bounceType: "Permanent" }, { kind: "complaint" }])(
    "a report leaves the message as it was: %j",
    async (told) => {
      const who = await somebody()
      const id = await mailed(who)
      const before = await rowOf(it, id)
      await withoutEvents(() => report(id, told))
      expect([await rowOf(it, id), await who.subscribed()]).toEqual([before, true])
    },
  )
})
