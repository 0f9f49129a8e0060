import { afterAll, beforeAll, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import fc from "fast-check"
import { day, hour } from "../../src/kernel/clock.ts"
import { activityTallyTable } from "../../src/modules/activity/index.ts"
import { domainDayTable, eventDayTable } from "../../src/modules/analytics/index.ts"
import { contactTable } from "../../src/modules/contacts/index.ts"
import { emailTable } from "../../src/modules/emails/index.ts"
import { eventTable } from "../../src/modules/events/index.ts"
import { projectTable } from "../../src/modules/projects/index.ts"
import { executionTable } from "../../src/modules/workflows/index.ts"
import { everything, mailTo, naiveFeed, receive, reported, walkFeed } from "../harness/activity.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { campaignOf, createCampaign } from "../harness/campaigns.ts"
import { runCommand } from "../harness/commands.ts"
import { send } from "../harness/mails.ts"
import { createWorkflow, inRow, steps } from "../harness/workflows.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp({ settings: { "limits.requests_per_minute": "0" } })
})
afterAll(() => it.close())

const db = () => it.app.store.read

/** Rows without zeros, in a fixed order. */
const nonZero = <T extends object>(rows: readonly T[], isZero: (row: T) => boolean): string[] =>
  rows
    .filter((row) => !isZero(row))
    .map((row) => JSON.stringify(row, Object.keys(row).sort()))
    .sort()

/** The stored counts of every project. */
async function storedCounts() {
  return {
    hours: nonZero(await db().select().from(activityTallyTable), ({ count }) => count === 0),
    names: nonZero(await db().select().from(eventDayTable), ({ count }) => count === 0),
    domains: nonZero(await db().select().from(domainDayTable), ({ sent }) => sent === 0),
  }
}

/** The same, counted in the plainest way. */
async function recount() {
  const mails = await db().select().from(emailTable)
  const events = await db().select().from(eventTable)
  const hours = new Map<string, number>()
  const add = (projectId: string, kind: string, at: number | null) => {
    if (at === null) return
    const key = JSON.stringify([projectId, kind, Math.floor(at / hour)])
    hours.set(key, (hours.get(key) ?? 0) + 1)
  }
  const domains = new Map<string, Record<string, number>>()
  for (const mail of mails) {
    add(mail.projectId, "email.sent", mail.sentAt)
    add(mail.projectId, "email.delivered", mail.deliveredAt)
    add(mail.projectId, "email.opened", mail.openedAt)
    add(mail.projectId, "email.clicked", mail.clickedAt)
    add(mail.projectId, "email.bounced", mail.bouncedAt)
    add(mail.projectId, "email.complaint", mail.complainedAt)
    if (mail.sourceType === "INBOUND") add(mail.projectId, "email.received", mail.createdAt)
    if (mail.openedAt !== null) add(mail.projectId, "sent.opened", mail.sentAt)
    if (mail.clickedAt !== null) add(mail.projectId, "sent.clicked", mail.sentAt)
    if (mail.scannerOpens >= mail.opens) add(mail.projectId, "opened.machine", mail.openedAt)
    if (mail.sentAt === null) continue
    const key = JSON.stringify([mail.projectId, Math.floor(mail.sentAt / day), mail.to.split("@")[1]])
    const row = domains.get(key) ?? {}
    for (const name of ["sent", "delivered", "opened", "clicked", "bounced", "complained"] as const)
      row[name] = (row[name] ?? 0) + Number(mail[`${name}At`] !== null)
    domains.set(key, row)
  }
  for (const { projectId, startedAt, completedAt } of await db().select().from(executionTable)) {
    add(projectId, "workflow.started", startedAt)
    add(projectId, "workflow.completed", completedAt)
  }
  const names = new Map<string, number>()
  for (const { projectId, name, createdAt } of events) {
    const isFlip = name === "contact.subscribed" || name === "contact.unsubscribed"
    add(projectId, name.startsWith("email.") ? "event.email" : isFlip ? name : "event.triggered", createdAt)
    if (name.startsWith("email.")) continue
    const key = JSON.stringify([projectId, Math.floor(createdAt / day), name])
    names.set(key, (names.get(key) ?? 0) + 1)
  }
  const rows = <V>(map: Map<string, V>, fields: readonly string[], value: (one: V) => object) =>
    nonZero(
      [...map].map(([key, one]) => ({
        ...Object.fromEntries((JSON.parse(key) as unknown[]).map((part, at) => [fields[at], part])),
        ...value(one),
      })),
      () => false,
    )
  return {
    hours: rows(hours, ["projectId", "kind", "hour"], (count) => ({ count })),
    names: rows(names, ["projectId", "day", "name"], (count) => ({ count })),
    domains: rows(domains, ["projectId", "day", "domain"], (row) => row),
  }
}

const who = fc.nat(4)
const deed = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant("track" as const), who, subscribed: fc.option(fc.boolean()) }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant("mail" as const), who }) },
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constantFrom("delivery", "open", "click", "complaint", "bounce", "softBounce"),
      who,
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("receive" as const), who }) },
  {
    weight: 5,
    arbitrary: fc.record({ does: fc.constant("wait" as const), who: fc.integer({ min: 1, max: 30 * 60 }) }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("forget" as const), who }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("drop" as const), who }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom("campaign", "schedule", "removeCampaign"), who }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom("workflow", "cancelWorkflow", "removeWorkflow"), who }) },
)
type Deed = { does: string; who: number; subscribed?: boolean | null }

const names = ["purchase", "login", "ü", "emails", "email"]

async function perform({ does, who, subscribed }: Deed): Promise<void> {
  const email = `who${who}@d${who % 3}.example`
  const mail = await mailTo(it, email)
  if (does === "track") await it.api("POST /v1/track", { body: { email, event: names[who], subscribed } })
  if (does === "mail") await send(it, email)
  if (does === "receive") await receive(it, email)
  if (does === "wait") await it.advance({ minutes: who })
  if (does === "forget") {
    const { body } = await it.api("POST /contacts", { body: { email } })
    await it.api(`DELETE /contacts/${body.id}`)
  }
  if (does === "drop") await it.api(`DELETE /events/${encodeURIComponent(names[who] ?? "")}`)
  if (does === "campaign") {
    const { id } = await createCampaign(it)
    await it.api(`POST /campaigns/${id}/send`, { body: {} })
  }
  if (does === "schedule") {
    const { id } = await createCampaign(it)
    const at = new Date(it.clock.now() + 3 * hour).toISOString()
    await it.api(`POST /campaigns/${id}/send`, { body: { scheduledFor: at } })
  }
  if (does === "removeCampaign") {
    const [first] = (await it.api("GET /campaigns")).body.data
    if (first) await it.api(`DELETE /campaigns/${first.id}`)
  }
  if (does === "workflow") {
    const rest = steps.delay(who + 1, who % 2 === 0 ? "minutes" : "hours")
    await createWorkflow(it, names[who] ?? "", inRow(steps.mail(), rest, steps.exit("over")), { allowReentry: true })
  }
  if (does === "cancelWorkflow" || does === "removeWorkflow") {
    const [first] = (await it.api("GET /workflows")).body.data
    if (first && does === "removeWorkflow") await it.api(`DELETE /workflows/${first.id}`)
    for (const { id } of (first && (await it.api(`GET /workflows/${first.id}/executions`)).body.data) ?? [])
      if (does === "cancelWorkflow") await it.api(`DELETE /workflows/${first.id}/executions/${id}`)
  }
  if (mail?.sentAt == null) return
  if (does === "delivery" || does === "open" || does === "complaint") await reported(it, mail.id, { kind: does })
  if (does === "click") await reported(it, mail.id, { kind: "click", link: "https://acme.test/" })
  if (does === "bounce") await reported(it, mail.id, { kind: "bounce", bounceType: "Permanent" })
  if (does === "softBounce") await reported(it, mail.id, { kind: "bounce", bounceType: "Transient" })
}

const rate = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100)

/** Compares what the endpoints answer for a period, in pages of so many items, with the records. */
async function expectTruth(from: number, to: number, limit: number): Promise<number> {
  const all = await everything(it)
  const inside = (at: number | null): at is number => at !== null && at >= from && at <= to
  const wanted = naiveFeed(all).filter(({ at }) => inside(at))
  const period = `&startDate=${new Date(from).toISOString()}&endDate=${new Date(to).toISOString()}`

  const { items, total } = await walkFeed(it, limit, period)
  expect(total).toBe(wanted.length)
  expect(items.map(({ id }) => id).sort()).toEqual(wanted.map(({ id }) => id).sort())
  const times = items.map(({ timestamp }) => timestamp)
  expect(times).toEqual([...times].sort().reverse())
  const known = new Map(wanted.map((one) => [one.id, one]))
  for (const { id, type, timestamp, contactId } of items)
    expect({ type, at: Date.parse(timestamp), contactId }).toEqual({
      type: known.get(id)?.type ?? "",
      at: known.get(id)?.at ?? 0,
      contactId: known.get(id)?.contactId ?? null,
    })
  for (const contact of all.contacts.slice(0, 2)) {
    const theirs = await walkFeed(it, Math.ceil(limit / 2), `${period}&contactId=${contact.id}`)
    const ids = wanted.filter(({ contactId }) => contactId === contact.id).map(({ id }) => id)
    expect(theirs.items.map(({ id }) => id).sort()).toEqual(ids.sort())
    expect(theirs.total).toBe(ids.length)
  }

  const sent = all.mails.filter(({ sentAt }) => inside(sentAt))
  expect((await it.api(`GET /activity/stats?${period}`)).body).toEqual({
    totalEvents: all.events.filter(({ createdAt }) => inside(createdAt)).length,
    totalEmailsSent: sent.length,
    totalEmailsOpened: all.mails.filter(({ openedAt }) => inside(openedAt)).length,
    totalEmailsClicked: all.mails.filter(({ clickedAt }) => inside(clickedAt)).length,
    totalWorkflowsStarted: all.executions.filter(({ startedAt }) => inside(startedAt)).length,
    openRate: rate(sent.filter(({ openedAt }) => openedAt !== null).length, sent.length),
    clickRate: rate(sent.filter(({ clickedAt }) => clickedAt !== null).length, sent.length),
  })

  const series = (await it.api(`GET /analytics/timeseries?${period}`)).body
  const first = Math.max(Math.floor(from / day), Math.floor(to / day) - 89)
  expect(series).toEqual(
    Array.from({ length: Math.floor(to / day) - first + 1 }, (_, at) => {
      const on = (time: number | null) => time !== null && Math.floor(time / day) === first + at
      const count = (column: "sentAt" | "deliveredAt" | "openedAt" | "clickedAt" | "bouncedAt") =>
        all.mails.filter((mail) => on(mail[column])).length
      return {
        date: new Date((first + at) * day).toISOString().slice(0, 10),
        emails: count("sentAt"),
        delivered: count("deliveredAt"),
        opens: count("openedAt"),
        clicks: count("clickedAt"),
        bounces: count("bouncedAt"),
      }
    }),
  )
  return wanted.length
}

test("feed, figures, series and stored counts agree with a recount over any history, also of deletions", async () => {
  let most = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(deed, { minLength: 10, maxLength: 30 }),
      fc.nat(200 * hour),
      fc.nat(200 * hour),
      async (deeds, age, length) => {
        for (const one of deeds) {
          await perform(one)
          await it.settle()
        }
        expect(await storedCounts()).toEqual(await recount())
        const now = it.clock.now()
        const from = now - age
        await expectTruth(from, Math.min(now, from + length), 7)
        most = Math.max(most, await expectTruth(Date.parse("2026-01-31T00:00:00Z"), now, 40))
      },
    ),
    { numRuns: 10 },
  )
  expect(most).toBeGreaterThan(10)
}, 120_000)

test("a rebuild restores counts that were lost or changed, and changes none that are right", async () => {
  const right = await storedCounts()
  expect(right.hours.length).toBeGreaterThan(0)
  expect(await it.app.analytics.rebuild()).toBeGreaterThan(0)
  expect(await storedCounts()).toEqual(right)

  await it.app.store.write("instance", async (unit) => {
    await unit.db.delete(eventDayTable)
    await unit.db.update(domainDayTable).set({ sent: 1_000 })
    await unit.db.update(activityTallyTable).set({ count: 77 })
    await unit.db
      .insert(activityTallyTable)
      .values({ projectId: it.project.id, kind: "email.sent", hour: 1_000, count: 5 })
  })
  const { code, json } = await runCommand(it, "analytics rebuild")
  expect([code, json.days > 0]).toEqual([0, true])
  expect(await storedCounts()).toEqual(right)
}, 110_000)

test("a rebuild keeps what is counted on a day that begins while it reads", async () => {
  const { app, clock } = it
  const track = () => it.api("POST /v1/track", { body: { email: "ada@example.com", event: "midnight" } })
  const { write } = app.store
  let isFirst = true
  const atMidnight: typeof write = async (...given) => {
    if (isFirst) {
      isFirst = false
      await clock.advance(day)
      await track()
    }
    return write(...given)
  }
  await track()
  Object.assign(app.store, { write: atMidnight })
  await app.analytics.rebuild().finally(() => Object.assign(app.store, { write }))
  const counted = await db().select().from(eventDayTable).where(eq(eventDayTable.name, "midnight"))
  expect(counted.map(({ count }) => count)).toEqual([1, 1])
}, 110_000)

test("the counts of a project end with its records, and with the project", async () => {
  const { id, publicKey } = await it.app.projects.create("Short-lived")
  await it.api("POST /v1/track", { key: publicKey, body: { email: "ada@example.com", event: "purchase" } })
  const counts = async () =>
    (await db().select().from(activityTallyTable)).filter(({ projectId, count }) => projectId === id && count > 0)
  expect(await counts()).toHaveLength(1)
  await it.app.store.write(id, async (unit) => {
    await unit.db.delete(contactTable).where(eq(contactTable.projectId, id))
  })
  expect(await counts()).toEqual([])
  await it.api("POST /v1/track", { key: publicKey, body: { email: "ada@example.com", event: "purchase" } })
  await it.app.store.write("instance", async (unit) => {
    await unit.db.delete(projectTable).where(eq(projectTable.id, id))
  })
  expect(await counts()).toEqual([])
  expect(await storedCounts()).toEqual(await recount())
})

test("a campaign keeps the time when it was last scheduled", async () => {
  const { id } = await createCampaign(it)
  const at = (hours: number) => new Date(it.clock.now() + hours * hour).toISOString()
  await it.api(`POST /campaigns/${id}/send`, { body: { scheduledFor: at(3) } })
  await it.advance({ hours: 1 })
  const again = it.clock.now()
  await it.api(`POST /campaigns/${id}/send`, { body: { scheduledFor: at(4) } })
  await it.advance({ hours: 4 })
  expect((await campaignOf(it, id)).status).toBe("SENT")
  const { items } = await walkFeed(it, 100, "&types=campaign.scheduled,campaign.sent")
  const theirs = items.filter(({ metadata }) => metadata.campaignId === id)
  expect(theirs.map(({ type, timestamp }) => [type, Date.parse(timestamp)])).toEqual([
    ["campaign.sent", again + 4 * hour],
    ["campaign.scheduled", again],
  ])
})
