import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { encodeCursor } from "../../src/http/page.ts"
import { nilId } from "../../src/kernel/ids.ts"
import { feedOf, type Item, mailTo, receive, reported, typesOf, walkFeed } from "../harness/activity.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { createCampaign, createSegment, sendCampaign } from "../harness/campaigns.ts"
import { addresses, send } from "../harness/mails.ts"
import { scenarios } from "../harness/scenarios.ts"

const allTypes = [
  "email.sent",
  "email.delivered",
  "email.opened",
  "email.clicked",
  "email.bounced",
  "email.complaint",
  "email.received",
  "event.triggered",
  "contact.subscribed",
  "contact.unsubscribed",
  "campaign.scheduled",
  "campaign.sent",
  "workflow.started",
  "workflow.completed",
]
const ada = "ada@example.com"

/** A project in which everything happened once, a minute apart; the ids of the records. */
async function history() {
  const it = await startTestApp({ settings: { "limits.requests_per_minute": "0" } })
  const step = () => it.advance({ minutes: 1 })
  const track = async (body: object) => (await it.api("POST /v1/track", { body })).body.data
  const { contact } = await track({ email: ada, event: "purchase", data: { amount: 49 }, subscribed: true })
  await step()
  await track({ email: ada, event: "login", subscribed: false })
  await step()
  await track({ email: ada, event: "login", subscribed: true })
  await step()
  const [mail = ""] = await send(it, ada)
  await it.settle()
  for (const report of [
    { kind: "delivery" },
    { kind: "open" },
    { kind: "open" },
    { kind: "click", link: "https://acme.test/" },
    { kind: "bounce", bounceType: "Transient" },
    { kind: "bounce", bounceType: "Permanent" },
    { kind: "complaint" },
  ] as const) {
    await step()
    await reported(it, mail, report)
  }
  await step()
  const received = await receive(it, ada, contact)
  await step()
  const segment = await createSegment(it, { name: "Readers", type: "STATIC" })
  const { id: campaign } = await createCampaign(it, { audienceType: "SEGMENT", segmentId: segment, subject: "News" })
  const time = new Date(it.clock.now() + 60_000).toISOString()
  await sendCampaign(it, campaign, time)
  await step()
  await step()
  return { it, contact, mail, received, campaign }
}

describe("GET /activity (contract B7.1)", () => {
  let all: Awaited<ReturnType<typeof history>>
  let items: Item[]
  beforeAll(async () => {
    all = await history()
    items = await feedOf(all.it, "?limit=100")
  })
  afterAll(() => all.it.close())
  const only = (type: string) => items.filter((item) => item.type === type)

  test("contract B7.1.0: newest first, each item once, with a total", async () => {
    const { body } = await all.it.api("GET /activity?limit=100")
    expect(body).toMatchObject({ hasMore: false, total: items.length })
    expect(body).not.toHaveProperty("cursor")
    const times = items.map(({ timestamp }) => timestamp)
    expect(times).toEqual([...times].sort().reverse())
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
    expect(Object.keys(items[0] ?? {})).toEqual(["id", "type", "timestamp", "contactId", "contactEmail", "metadata"])
  })

  test("contract B7.1.1: one item for each thing that a mail went through, at its first time", async () => {
    const { mail, contact } = all
    const row = await mailTo(all.it, ada)
    const times = { sent: "sentAt", delivered: "deliveredAt", opened: "openedAt", clicked: "clickedAt" } as const
    for (const [type, column] of Object.entries(times)) {
      const found = only(`email.${type}`)
      expect(found).toHaveLength(1)
      expect(found[0]).toMatchObject({ id: `${mail}_${type}`, contactId: contact, contactEmail: ada })
      expect(Date.parse(found[0]?.timestamp ?? "")).toBe(row?.[column] ?? 0)
    }
    expect(only("email.bounced").map(({ id }) => id)).toEqual([`${mail}_bounced`])
    expect(only("email.complaint").map(({ id }) => id)).toEqual([`${mail}_complaint`])
    expect(only("email.opened")[0]?.metadata).toEqual({
      emailId: mail,
      subject: `To ${ada}`,
      from: "hi@acme.test",
      fromName: "Acme",
      to: ada,
      toName: null,
      replyTo: null,
      sourceType: "TRANSACTIONAL",
      campaignId: null,
      campaignName: null,
      workflowId: null,
      workflowName: null,
      totalOpens: 2,
      totalClicks: 1,
      error: null,
    })
  })

  test("contract B7.1.1: received mail", () => {
    expect(only("email.received")).toMatchObject([
      { id: `${all.received}_received`, contactEmail: ada, metadata: { sourceType: "INBOUND", subject: "A question" } },
    ])
  })

  test("contract B7.1.1: the campaign of a mail", async () => {
    const it = await startTestApp()
    await it.api("POST /contacts", { body: { email: ada, subscribed: true } })
    const { id } = await createCampaign(it)
    await sendCampaign(it, id)
    await it.settle()
    const [sent] = await feedOf(it, "?types=email.sent")
    expect(sent?.metadata).toMatchObject({ campaignId: id, campaignName: "June news", sourceType: "CAMPAIGN" })
    await it.close()
  })

  test("contract B7.1.2: stored events, except those about mails and subscriptions", () => {
    expect(only("event.triggered").map(({ metadata }) => metadata)).toEqual([
      { eventName: "login", eventData: {} },
      { eventName: "login", eventData: {} },
      { eventName: "purchase", eventData: { amount: 49 } },
    ])
    expect(only("event.triggered")[2]).toMatchObject({ contactId: all.contact, contactEmail: ada })
  })

  test("contract B7.1.3: subscriptions, with the data of the event", async () => {
    const { body } = await all.it.api("GET /events?eventName=contact.unsubscribed")
    expect(only("contact.unsubscribed").length).toBeGreaterThan(0)
    expect(only("contact.unsubscribed").map(({ id, metadata }) => ({ id, data: metadata }))).toEqual(
      body.data.map(({ id, data }: { id: string; data: object }) => ({ id, data })),
    )
    expect(only("contact.subscribed").length).toBeGreaterThan(0)
  })

  test("contract B7.1.4: campaigns when they were scheduled and when sending started, without a contact", () => {
    const { campaign } = all
    const metadata = {
      campaignId: campaign,
      campaignName: "June news",
      subject: "News",
      totalRecipients: 0,
      segmentName: "Readers",
      audienceType: "SEGMENT",
    }
    const nobody = { contactId: null, contactEmail: null }
    expect(only("campaign.scheduled")).toMatchObject([{ id: `campaign_${campaign}_scheduled`, ...nobody, metadata }])
    expect(only("campaign.sent")).toMatchObject([{ id: `campaign_${campaign}_sent`, ...nobody, metadata }])
    const [scheduled, sent] = [only("campaign.scheduled")[0], only("campaign.sent")[0]]
    expect(Date.parse(sent?.timestamp ?? "") - Date.parse(scheduled?.timestamp ?? "")).toBeGreaterThanOrEqual(60_000)
  })

  test("contract B7.1.0: only the types asked for; unknown ones are ignored", async () => {
    const query = "types=email.clicked,%20event.triggered,nonsense"
    const { body } = await all.it.api(`GET /activity?${query}`)
    expect(typesOf(body.data)).toEqual(["email.clicked", "event.triggered", "event.triggered", "event.triggered"])
    expect(body.total).toBe(4)
  })

  test("contract B7.1.0: no known type: empty; an empty parameter: all", async () => {
    expect((await all.it.api("GET /activity?types=nonsense")).body).toEqual({ data: [], hasMore: false, total: 0 })
    expect((await all.it.api("GET /activity?types=")).body.total).toBe(items.length)
    expect((await all.it.api("GET /activity?types=workflow.started")).body.total).toBe(0)
  })

  test("contract B7.1.0: the activity of a contact; campaigns belong to none", async () => {
    const { it, contact } = all
    const theirs = items.filter(({ contactId }) => contactId === contact)
    const { body } = await it.api(`GET /activity?limit=100&contactId=${contact.toUpperCase()}`)
    expect(body.data).toEqual(theirs)
    expect(body.total).toBe(theirs.length)
    expect(await feedOf(it, `?contactId=${all.campaign}`)).toEqual([])
    expect((await walkFeed(it, 2, `&contactId=${contact}&types=event.triggered,email.sent`)).items).toEqual(
      theirs.filter(({ type }) => type === "event.triggered" || type === "email.sent"),
    )
  })

  test("contract B7.1.0: a period, which includes both ends", async () => {
    const [from, to] = [items[7]?.timestamp ?? "", items[3]?.timestamp ?? ""]
    const { body } = await all.it.api(`GET /activity?startDate=${from}&endDate=${to}`)
    const wanted = items.filter(({ timestamp }) => timestamp >= from && timestamp <= to)
    expect(wanted.length).toBeGreaterThan(3)
    expect(body.data).toEqual(wanted)
    expect(body.total).toBe(wanted.length)
  })

  test("contract A1.4: a walk meets every item once, in order, also those of the same time", async () => {
    for (const limit of [1, 3, 100]) {
      const walked = await walkFeed(all.it, limit)
      expect(walked.items).toEqual(items)
      expect(walked.total).toBe(items.length)
    }
    const { body } = await all.it.api("GET /activity?limit=1")
    const next = await all.it.api(`GET /activity?limit=1&cursor=${body.cursor}`)
    expect(next.body.total).toBe(0)
  })

  test("contract A1.4: mails of the same millisecond are walked one by one", async () => {
    const it = await startTestApp()
    await send(it, ...addresses(9))
    await it.settle()
    const { items } = await walkFeed(it, 2, "&types=email.sent")
    expect(items.map(({ metadata }) => metadata.to).sort()).toEqual(addresses(9).sort())
    await it.close()
  })

  test("contract A1.4.4: the walk of the last 30 days ends where it began, however long it takes", async () => {
    const it = await startTestApp()
    await it.api("POST /v1/track", { body: { email: ada, event: "first" } })
    await it.advance({ days: 29 })
    await it.api("POST /v1/track", { body: { email: ada, event: "second" } })
    const { body } = await it.api("GET /activity?limit=1&types=event.triggered")
    expect(body.total).toBe(2)
    await it.advance({ days: 2 })
    const rest = await it.api(`GET /activity?types=event.triggered&cursor=${body.cursor}`)
    expect(rest.body.data).toMatchObject([{ metadata: { eventName: "first" } }])
    expect((await it.api("GET /activity?types=event.triggered")).body.total).toBe(1)
    await it.close()
  })

  test("deletions take their items along", async () => {
    const it = await startTestApp()
    const { contact } = (await it.api("POST /v1/track", { body: { email: ada, event: "first" } })).body.data
    await send(it, ada)
    await it.settle()
    expect(typesOf(await feedOf(it)).sort()).toEqual(["email.sent", "event.triggered"])
    await it.api(`DELETE /contacts/${contact}`)
    expect((await it.api("GET /activity")).body).toMatchObject({ data: [], total: 0 })
    await it.close()
  })

  test("another project sees nothing of it", async () => {
    const { secret } = await all.it.app.projects.create("Other")
    expect((await all.it.api("GET /activity", { key: secret })).body).toEqual({ data: [], hasMore: false, total: 0 })
    const theirs = await all.it.api(`GET /activity?contactId=${all.contact}`, { key: secret })
    expect(theirs.body.total).toBe(0)
    expect((await all.it.api("GET /activity/stats", { key: secret })).body.totalEvents).toBe(0)
  })

  test("contract B7.1.6: the figures; rates are of the mails sent in the period", async () => {
    const { it } = all
    const { body: events } = await it.api("GET /events")
    expect((await it.api("GET /activity/stats")).body).toEqual({
      totalEvents: events.total,
      totalEmailsSent: 1,
      totalEmailsOpened: 1,
      totalEmailsClicked: 1,
      totalWorkflowsStarted: 0,
      openRate: 100,
      clickRate: 100,
    })
    const opened = only("email.opened")[0]?.timestamp ?? ""
    expect((await it.api(`GET /activity/stats?startDate=${opened}&endDate=${opened}`)).body).toMatchObject({
      totalEmailsSent: 0,
      totalEmailsOpened: 1,
      openRate: 0,
    })
    expect((await it.api("GET /activity/stats?endDate=2020-01-01")).body.totalEvents).toBe(0)
  })

  test("contract B7.1.7: the items of the last minutes", async () => {
    const { it } = all
    const within = (minutes: number) =>
      items.filter(({ timestamp }) => Date.parse(timestamp) >= it.clock.now() - minutes * 60_000).length
    for (const [given, minutes] of [
      ["", 5],
      ["?minutes=3", 3],
      ["?minutes=0", 1],
      ["?minutes=-4", 1],
      ["?minutes=600", 60],
      ["?minutes=soon", 5],
      ["?minutes=1.5", 5],
    ] as const)
      expect((await it.api(`GET /activity/recent-count${given}`)).body).toEqual({ count: within(minutes), minutes })
    expect(within(3)).toBeLessThan(within(60))
  })
})

scenarios("GET /activity", [
  { name: "contract B7.1.8: lists every type", route: "GET /activity/types", status: 200, answer: { types: allTypes } },
  { name: "refuses a public key", key: "public", status: 401, code: "INVALID_API_KEY" },
  {
    name: "refuses a start after the end",
    route: "GET /activity?startDate=2026-02-01&endDate=2026-01-01",
    status: 400,
    code: "BAD_REQUEST",
  },
  {
    name: "refuses a time that is none",
    route: "GET /activity/stats?startDate=yesterday",
    status: 400,
    code: "BAD_REQUEST",
  },
  {
    name: "contract A1.4.2: refuses a malformed cursor",
    route: "GET /activity?cursor=abc",
    status: 400,
    code: "BAD_REQUEST",
  },
  ...[
    encodeCursor("events", { key: 1, id: "x" }),
    encodeCursor("activity", { key: 1, id: "x" }),
    encodeCursor("activity", { key: "1", id: `1 email.sent ${nilId}` }),
    encodeCursor("activity", { key: 1, id: `1 email.lost ${nilId}` }),
    encodeCursor("activity", { key: 1, id: `x email.sent ${nilId}` }),
    encodeCursor("activity", { key: 1, id: `1e999 email.sent ${nilId}` }),
    encodeCursor("activity", { key: 1, id: ` email.sent ${nilId}` }),
    encodeCursor("activity", { key: 1, id: "1 email.sent x" }),
    encodeCursor("activity", { key: 1, id: `1 email.sent ${nilId} x` }),
  ].map((cursor, at) => ({
    name: `contract A1.4.2: refuses a cursor that it has not made, ${at}`,
    route: `GET /activity?cursor=${cursor}`,
    status: 400,
    code: "BAD_REQUEST",
  })),
])

describe("GET /activity/upcoming (contract B7.1.9)", () => {
  let it: TestApp
  const ids: string[] = []
  beforeAll(async () => {
    it = await startTestApp()
    for (const days of [40, 2, 10, 1]) {
      const { id } = await createCampaign(it, { name: `In ${days} days` })
      await sendCampaign(it, id, new Date(it.clock.now() + days * 86_400_000).toISOString())
      ids.push(id)
    }
    await createCampaign(it, { name: "Draft" })
  })
  afterAll(() => it.close())
  const namesIn = async (query = "") =>
    (await it.api(`GET /activity/upcoming${query}`)).body.activities.map(({ metadata }: Item) => metadata.campaignName)

  test("scheduled campaigns, soonest first", async () => {
    expect(await namesIn()).toEqual(["In 1 days", "In 2 days", "In 10 days"])
    const { activities } = (await it.api("GET /activity/upcoming")).body
    expect(activities[0]).toMatchObject({
      id: `campaign_${ids[3]}_scheduled`,
      type: "campaign.scheduled",
      timestamp: "2026-02-01T09:15:00.000Z",
      contactId: null,
      contactEmail: null,
      metadata: { campaignId: ids[3], audienceType: "ALL" },
    })
  })

  test("daysAhead and limit, up to their bounds", async () => {
    expect(await namesIn("?daysAhead=5")).toEqual(["In 1 days", "In 2 days"])
    expect(await namesIn("?daysAhead=900")).toEqual(["In 1 days", "In 2 days", "In 10 days", "In 40 days"])
    expect(await namesIn("?daysAhead=0&limit=1")).toEqual(["In 1 days"])
  })

  test("a campaign that is cancelled is not planned any more", async () => {
    await it.api(`POST /campaigns/${ids[1]}/cancel`)
    expect(await namesIn()).toEqual(["In 1 days", "In 10 days"])
  })
})
