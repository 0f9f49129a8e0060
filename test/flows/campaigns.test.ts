import { describe, expect, spyOn, test } from "bun:test"
import { eq, sql } from "drizzle-orm"
import { signalTable } from "../../src/bus/table.ts"
import { deferred, rejected, sent, unknownOutcome } from "../../src/mail/transport.ts"
import { idValue } from "../../src/store/dialect.ts"
import { apiClient } from "../harness/api.ts"
import type { TestApp } from "../harness/app.ts"
import {
  addressesOf,
  campaignOf,
  createCampaign,
  createSegment,
  mailsOf,
  onPlan,
  startCampaign,
  startWith,
  statusesOf,
} from "../harness/campaigns.ts"
import { seedContacts } from "../harness/contacts.ts"
import { recipients, send } from "../harness/mails.ts"
import { countEffects } from "../harness/scenarios.ts"
import { createTemplate } from "../harness/templates.ts"

const unsubscribe = (it: TestApp, email: string) =>
  it.api("POST /contacts", { body: { email, subscribed: false } }).then(({ status }) => expect(status).toBe(200))
const contactOf = async (it: TestApp, email: string): Promise<string> =>
  (await it.api(`GET /contacts?search=${email}`)).body.data[0].id

describe("a campaign that is sent", () => {
  test("reaches every contact once, rendered for each, with one event per mail", async () => {
    const it = await startWith(5)
    const id = await startCampaign(it)
    await it.settle()
    const sent = it.sent().toSorted((one, other) => (one.to.address < other.to.address ? -1 : 1))
    expect(recipients(sent)).toEqual([0, 1, 2, 3, 4].map((at) => `a${at}@example.com`))
    expect(sent.map(({ subject }) => subject)).toEqual([0, 1, 2, 3, 4].map((at) => `Hi A${at}`))
    expect(sent[3]?.html).toContain("What is new, A3.")
    expect(it.sent()[0]).toMatchObject({ stream: "bulk", from: { name: "Acme", address: "news@acme.test" } })
    expect((await countEffects(it)).events).toEqual({ "email.sent": 5 })
    expect(await campaignOf(it, id)).toMatchObject({ status: "SENT", totalRecipients: 5, sentCount: 5 })
    const [mail] = await mailsOf(it, id)
    expect(mail).toMatchObject({ sourceType: "CAMPAIGN", type: "MARKETING", lane: 2, templateId: null })
  })

  test("without recipients is SENT at once", async () => {
    const it = await startWith(0)
    const id = await startCampaign(it)
    expect((await campaignOf(it, id)).status).toBe("SENDING")
    await it.settle()
    expect(await campaignOf(it, id)).toMatchObject({ status: "SENT", totalRecipients: 0, sentCount: 0 })
  })

  test.each([
    ["MARKETING", "CAMPAIGN", 2],
    ["HEADLESS", "CAMPAIGN", 2],
    ["TRANSACTIONAL", "TRANSACTIONAL", 3],
  ])("as %s has the source %s and goes to %p of three, of whom two are subscribed", async (type, sourceType, count) => {
    const it = await startWith(2)
    await seedContacts(it, 1, () => ({ email: "left@example.com", subscribed: false }))
    const id = await startCampaign(it, { type })
    await it.settle()
    expect((await mailsOf(it, id)).map((mail) => mail.sourceType)).toEqual(Array(count).fill(sourceType))
    expect(await campaignOf(it, id)).toMatchObject({ totalRecipients: count, sentCount: count })
  })

  test("goes to a segment, static or dynamic, and to those whom a condition matches", async () => {
    const it = await startWith(0)
    await seedContacts(it, 9, (at) => ({ email: `s${at}@example.com`, data: { plan: at % 3 === 0 ? "pro" : "free" } }))
    const dynamic = await createSegment(it, { condition: onPlan("pro") })
    const fixed = await createSegment(it, { type: "STATIC" })
    await it.api(`POST /segments/${fixed}/members`, { body: { emails: ["s1@example.com", "s3@example.com"] } })
    const ids = [
      await startCampaign(it, { audienceType: "SEGMENT", segmentId: dynamic }),
      await startCampaign(it, { audienceType: "SEGMENT", segmentId: fixed }),
      await startCampaign(it, { audienceType: "FILTERED", audienceCondition: onPlan("pro") }),
    ]
    await it.settle()
    const pro = ["s0@example.com", "s3@example.com", "s6@example.com"]
    expect(await Promise.all(ids.map((id) => addressesOf(it, id)))).toEqual([
      pro,
      ["s1@example.com", "s3@example.com"],
      pro,
    ])
  })

  test("does not go to contacts created after it was sent, nor to those deleted before their turn", async () => {
    const it = await startWith(3)
    const id = await startCampaign(it)
    await it.api("POST /contacts", { body: { email: "late@example.com" } })
    await it.api(`DELETE /contacts/${await contactOf(it, "a1@example.com")}`)
    await it.settle()
    expect(await addressesOf(it, id)).toEqual(["a0@example.com", "a2@example.com"])
    expect(await campaignOf(it, id)).toMatchObject({ status: "SENT", totalRecipients: 2 })
  })

  test("uses the data of a contact at the time when its mail is made", async () => {
    const it = await startWith(1)
    await startCampaign(it)
    await it.api("POST /contacts", { body: { email: "a0@example.com", data: { first: "Renamed" } } })
    await it.settle()
    expect(it.sent()[0]?.subject).toBe("Hi Renamed")
  })

  test("waits behind transactional mail", async () => {
    const it = await startWith(20)
    await startCampaign(it)
    await it.app.jobs.drain()
    await send(it, "reset@example.com")
    await it.settle()
    expect(recipients(it.sent())[0]).toBe("reset@example.com")
    expect(it.sent()).toHaveLength(21)
  })

  test("of a thousand mails causes one signal at its end", async () => {
    const it = await startWith(1_000)
    const id = await startCampaign(it)
    await it.settle()
    expect((await campaignOf(it, id)).status).toBe("SENT")
    const { read } = it.app.store
    expect(await read.$count(signalTable, eq(signalTable.name, "email.ended"))).toBe(1)
  })
})

describe("a campaign is sending", () => {
  test("while a mail waits for a retry, and SENT when that has ended", async () => {
    const it = await startWith(3)
    it.transport.answer = ({ to }) => (to.address.startsWith("a1") ? deferred("Try again.") : sent(null))
    const id = await startCampaign(it)
    await it.settle()
    expect(await campaignOf(it, id)).toMatchObject({ status: "SENDING", sentCount: 2 })
    expect(await statusesOf(it, id)).toEqual(["SENT", "PENDING", "SENT"])
    await it.advance({ minutes: 10 })
    expect((await campaignOf(it, id)).status).toBe("SENDING")
    it.transport.answer = () => sent(null)
    await it.advance({ hours: 1 })
    expect(await campaignOf(it, id)).toMatchObject({ status: "SENT", sentCount: 3, failedCount: 0 })
  })

  test("until a mail has had its chances over two days", async () => {
    const it = await startWith(2)
    it.transport.answer = ({ to }) => (to.address.startsWith("a1") ? deferred("Try again.") : sent(null))
    const id = await startCampaign(it)
    await it.advance({ hours: 12 })
    expect((await campaignOf(it, id)).status).toBe("SENDING")
    for (let hours = 0; hours < 40; hours++) await it.advance({ hours: 1 })
    expect(await campaignOf(it, id)).toMatchObject({ status: "SENT", sentCount: 1, failedCount: 1 })
  })

  test("until the waiting mails are deleted with their contacts", async () => {
    const it = await startWith(2)
    it.transport.answer = ({ to }) => (to.address.startsWith("a1") ? deferred("Try again.") : sent(null))
    const id = await startCampaign(it)
    await it.settle()
    await it.api(`DELETE /contacts/${await contactOf(it, "a1@example.com")}`)
    await it.settle()
    expect(await campaignOf(it, id)).toMatchObject({ status: "SENT", sentCount: 1, totalRecipients: 2 })
  })

  test("and is SENT as soon as ever when a contact of another project was deleted meanwhile", async () => {
    const it = await startWith(2)
    it.transport.answer = ({ to }) => (to.address.startsWith("a1") ? deferred("Try again.") : sent(null))
    const id = await startCampaign(it)
    await it.settle()
    const { secret: key } = await it.app.projects.create("Other")
    const { body: stranger } = await it.api("POST /contacts", { key, body: { email: "x@example.com" } })
    await it.api(`DELETE /contacts/${stranger.id}`, { key })
    await it.settle()
    await it.api(`DELETE /contacts/${await contactOf(it, "a1@example.com")}`)
    await it.settle()
    expect((await campaignOf(it, id)).status).toBe("SENT")
  })

  test.each([
    ["refused", rejected("No such user."), "FAILED", "No such user."],
    ["of unknown outcome", unknownOutcome("The line went dead."), "FAILED", "outcome_unknown"],
  ])(
    "no longer than its mails are being handed over: one that is %s is not repeated",
    async (_, receipt, status, error) => {
      const it = await startWith(1)
      it.transport.answer = () => receipt
      const id = await startCampaign(it)
      await it.settle()
      expect((await mailsOf(it, id))[0]).toMatchObject({ status, error, attempt: 1 })
      expect(await campaignOf(it, id)).toMatchObject({ status: "SENT", sentCount: 0, failedCount: 1 })
      await it.advance({ days: 2 })
      expect(it.sent()).toHaveLength(1)
    },
  )

  test("and a mail that cannot be rendered fails, and is shown without content", async () => {
    const it = await startWith(1)
    await seedContacts(it, 1, () => ({ email: "big@example.com", data: { first: "Big", text: "x".repeat(200_000) } }))
    const id = await startCampaign(it, { body: "{{text}}".repeat(60) })
    await it.settle()
    expect(recipients(it.sent())).toEqual(["a0@example.com"])
    const failed = (await mailsOf(it, id)).find(({ to }) => to === "big@example.com")
    const { status, body } = await it.api(`GET /emails/${failed?.id}`)
    expect([status, body.status, body.html, body.text, body.attachments]).toEqual([200, "FAILED", null, null, []])
    expect([body.subject, body.error]).toEqual(["Hi Big", expect.stringContaining("too large")])
  })

  test("and a later report settles a mail whose outcome was unknown", async () => {
    const it = await startWith(1)
    it.transport.answer = () => unknownOutcome("The line went dead.")
    const id = await startCampaign(it)
    await it.settle()
    const [mail] = await mailsOf(it, id)
    await it.app.store.write(it.project.id, (unit) => it.app.emails.report(unit, mail?.id ?? "", { kind: "delivery" }))
    expect(await statusesOf(it, id)).toEqual(["DELIVERED"])
    expect(await campaignOf(it, id)).toMatchObject({ deliveredCount: 1, failedCount: 0 })
  })
})

test("a report settles a mail that waits for another attempt, which then counts as sent", async () => {
  const it = await startWith(2)
  it.transport.answer = ({ to }) => (to.address === "a0@example.com" ? deferred("Timeout.") : sent(null))
  const id = await startCampaign(it)
  await it.settle()
  const waiting = (await mailsOf(it, id)).find(({ status }) => status === "PENDING")
  await it.app.store.write(it.project.id, (unit) => it.app.emails.report(unit, waiting?.id ?? "", { kind: "delivery" }))
  await it.settle()
  expect((await statusesOf(it, id)).toSorted()).toEqual(["DELIVERED", "SENT"])
  const { body } = await it.api(`GET /campaigns/${id}/stats`)
  expect(body.data).toMatchObject({ sentCount: 2, deliveredCount: 1, deliveryRate: 50 })
  expect((await countEffects(it)).events).toEqual({ "email.sent": 2, "email.delivery": 1 })
  expect(await campaignOf(it, id)).toMatchObject({ status: "SENT" })
})

test("its image does not: the filter of a server loads it that has not taken the mail", async () => {
  const it = await startWith(1)
  it.transport.answer = () => deferred("Try again later.")
  const id = await startCampaign(it)
  await it.settle()
  const image = /\/t\/o\/[^"]+/.exec(it.sent()[0]?.html ?? "")?.[0]
  await it.api(`GET ${image}`, { key: "none" })
  await it.settle()
  expect(await statusesOf(it, id)).toEqual(["PENDING"])
  it.transport.answer = () => sent(null)
  await it.advance({ minutes: 1 })
  expect(await statusesOf(it, id)).toEqual(["OPENED"])
  expect(await campaignOf(it, id)).toMatchObject({ status: "SENT", sentCount: 1, openedCount: 1 })
})

describe("a contact who unsubscribes before the hand-over", () => {
  test.each(["MARKETING", "HEADLESS"])("gets no %s mail: it is cancelled when its turn comes", async (type) => {
    const it = await startWith(3)
    const id = await startCampaign(it, { type })
    await it.app.jobs.drain()
    await unsubscribe(it, "a1@example.com")
    await it.settle()
    expect((await mailsOf(it, id)).map(({ status, error }) => [status, error])).toEqual([
      ["SENT", null],
      ["CANCELLED", "unsubscribed"],
      ["SENT", null],
    ])
    expect(recipients(it.sent())).toEqual(["a0@example.com", "a2@example.com"])
    expect(await campaignOf(it, id)).toMatchObject({ status: "SENT", sentCount: 2, cancelledCount: 1 })
    expect((await countEffects(it)).events).toEqual({ "contact.unsubscribed": 1, "email.sent": 2 })
  })

  test.each([
    ["MARKETING", ["CANCELLED", "unsubscribed"]],
    ["HEADLESS", ["SENT", null]],
    ["TRANSACTIONAL", ["SENT", null]],
  ])("of a request that is tried again later: %s is %p", async (type, expected) => {
    const it = await startWith(1)
    const { id: template } = await createTemplate(it, { type })
    it.transport.answer = () => deferred("Later.")
    const answer = await it.api("POST /v1/send", { body: { to: "a0@example.com", template } })
    expect(answer.status).toBe(200)
    await it.settle()
    await unsubscribe(it, "a0@example.com")
    it.transport.answer = () => sent(null)
    await it.advance({ minutes: 10 })
    const { status, error } = (await it.api(`GET /emails/${answer.body.data.emails[0].email}`)).body
    expect([status, error]).toEqual(expected)
  })

  test("still gets the mail of a transactional campaign", async () => {
    const it = await startWith(1)
    const id = await startCampaign(it, { type: "TRANSACTIONAL" })
    await it.app.jobs.drain()
    await unsubscribe(it, "a0@example.com")
    await it.settle()
    expect(await statusesOf(it, id)).toEqual(["SENT"])
  })

  test("gets none at all before it was made", async () => {
    const it = await startWith(2)
    const id = await startCampaign(it)
    await unsubscribe(it, "a0@example.com")
    await it.settle()
    expect(await addressesOf(it, id)).toEqual(["a1@example.com"])
  })
})

describe("what is counted", () => {
  test("decreases with a deleted contact, except the number of recipients", async () => {
    const it = await startWith(3)
    const id = await startCampaign(it)
    await it.settle()
    const mails = await mailsOf(it, id)
    await it.app.store.write(it.project.id, async (unit) => {
      for (const mail of mails) await it.app.emails.report(unit, mail.id, { kind: "delivery" })
      await it.app.emails.report(unit, mails[0]?.id ?? "", { kind: "complaint" })
    })
    expect(await campaignOf(it, id)).toMatchObject({ sentCount: 3, deliveredCount: 3, complainedCount: 1 })
    await it.api(`DELETE /contacts/${mails[0]?.contactId}`)
    expect(await campaignOf(it, id)).toMatchObject({
      totalRecipients: 3,
      sentCount: 2,
      deliveredCount: 2,
      complainedCount: 0,
    })
  })

  test("equals counting the mails, after any changes", async () => {
    const it = await startWith(40)
    it.transport.answer = ({ to }) =>
      to.address.includes("7") ? rejected("No.") : to.address.includes("3") ? unknownOutcome("?") : sent(null)
    const id = await startCampaign(it)
    await it.app.jobs.drain()
    await unsubscribe(it, "a4@example.com")
    await it.settle()
    for (const [at, mail] of (await mailsOf(it, id)).entries()) {
      const kinds = [{ kind: "delivery" }, { kind: "bounce", bounceType: "Permanent" }, { kind: "complaint" }] as const
      const report = kinds[at % 3]
      if (report) await it.app.store.write(it.project.id, (unit) => it.app.emails.report(unit, mail.id, report))
    }
    const [counted] = await it.app.store.read.all<Record<string, number>>(sql`
      SELECT count(*) AS totalRecipients, count(sent_at) AS sentCount, count(delivered_at) AS deliveredCount,
        count(bounced_at) AS bouncedCount, count(complained_at) AS complainedCount,
        sum(status = 'FAILED') AS failedCount, sum(status = 'CANCELLED') AS cancelledCount
      FROM email WHERE campaign_id = ${idValue(id)}`)
    expect(await campaignOf(it, id)).toMatchObject({ status: "SENT", ...counted })
  })
})

test("campaigns that are sent at the same time take turns, and none touches the mails of another", async () => {
  const it = await startWith(500)
  const ids = [await startCampaign(it), await startCampaign(it), await startCampaign(it)]
  const other = (await createCampaign(it)).id
  await it.settle()
  const all = Array.from({ length: 500 }, (_, at) => `a${at}@example.com`).sort()
  for (const id of ids) expect(await addressesOf(it, id)).toEqual(all)
  expect((await campaignOf(it, other)).status).toBe("DRAFT")
})

test("however many projects have a campaign under way, requests wait for two of their units at most", async () => {
  const it = await startWith(0)
  const scopes = new Set<string>()
  for (const name of ["a", "b", "c", "d"]) {
    const project = await it.app.projects.create(name)
    await it.app.domains.add(project.id, `${name}.test`, { vouched: true })
    const own = { ...it, project, api: apiClient((request) => it.app.fetch(request, "127.0.0.1"), project) }
    await seedContacts(own, 700, () => ({}))
    await startCampaign(own, { from: `news@${name}.test` })
    scopes.add(project.id)
  }
  const write = it.app.store.write.bind(it.app.store)
  const waiting: number[] = []
  let underWay = 0
  const spy = spyOn(it.app.store, "write").mockImplementation((async (...asked: Parameters<typeof write>) => {
    if (!scopes.has(asked[0])) return write(...asked)
    waiting.push(++underWay)
    return write(...asked).finally(() => underWay--)
  }) as typeof write)
  await it.app.jobs.drain()
  spy.mockRestore()
  // A walk has three units here, and one that ends it, which waits for no turn.
  expect(Math.max(...waiting.slice(0, 4))).toBeLessThanOrEqual(2)
})
