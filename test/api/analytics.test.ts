import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { reported } from "../harness/activity.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { createCampaign, mailsOf, sendCampaign } from "../harness/campaigns.ts"
import { seedContacts } from "../harness/contacts.ts"
import { send } from "../harness/mails.ts"
import { scenarios } from "../harness/scenarios.ts"

describe("GET /analytics (contract B7.2)", () => {
  let it: TestApp
  beforeAll(async () => {
    it = await startTestApp({ settings: { "limits.requests_per_minute": "0" } })
  })
  afterAll(() => it.close())
  const get = async (path: string) => (await it.api(`GET /analytics/${path}`)).body

  test("contract B7.2: 30 days with today by default, each with zeros", async () => {
    const series = await get("timeseries")
    expect(series).toHaveLength(30)
    expect(series[0]).toEqual({ date: "2026-01-02", emails: 0, delivered: 0, opens: 0, clicks: 0, bounces: 0 })
    expect(series[29].date).toBe("2026-01-31")
  })

  test("contract B7.2: over 90 days the start is moved", async () => {
    const series = await get("timeseries?startDate=2025-01-01&endDate=2025-12-31")
    expect(series).toHaveLength(90)
    expect([series[0].date, series[89].date]).toEqual(["2025-10-03", "2025-12-31"])
    expect(await get("timeseries?startDate=2025-06-01&endDate=2025-06-02")).toHaveLength(2)
  })

  test("contract B7.2.1: mails on the day of each of their times", async () => {
    // 09:15 on the 31st: the open comes after midnight.
    const [one = "", two = "", three = ""] = await send(it, "a@one.test", "b@one.test", "c@two.test")
    await it.settle()
    await it.advance({ seconds: 30 })
    for (const id of [one, two]) await reported(it, id, { kind: "delivery" })
    await reported(it, three, { kind: "bounce", bounceType: "Permanent" })
    await it.advance({ hours: 15 })
    await reported(it, one, { kind: "open" })
    await reported(it, one, { kind: "open" })
    await reported(it, one, { kind: "click", link: "https://acme.test/" })
    expect(await get("timeseries?startDate=2026-01-30")).toEqual([
      { date: "2026-01-30", emails: 0, delivered: 0, opens: 0, clicks: 0, bounces: 0 },
      { date: "2026-01-31", emails: 3, delivered: 2, opens: 0, clicks: 0, bounces: 1 },
      { date: "2026-02-01", emails: 0, delivered: 0, opens: 1, clicks: 1, bounces: 0 },
    ])
  })

  test("contract B7.2.5: the sums of a span and of the one before, opens by machines apart", async () => {
    await it.advance({ days: 1 })
    const [id = ""] = await send(it, "d@one.test")
    await it.settle()
    await reported(it, id, { kind: "open" })
    await reported(it, id, { kind: "complaint" })
    const answer = await get("overview?startDate=2026-02-02&endDate=2026-02-03")
    const none = { sent: 0, delivered: 0, opened: 0, machineOpened: 0, clicked: 0, bounced: 0, complained: 0 }
    expect(answer).toEqual({
      startDate: "2026-02-02",
      endDate: "2026-02-03",
      current: { ...none, sent: 1, opened: 1, machineOpened: 1, complained: 1 },
      previous: { ...none, sent: 3, delivered: 2, opened: 1, clicked: 1, bounced: 1 },
      days: [
        { date: "2026-02-02", ...none, sent: 1, opened: 1, machineOpened: 1, complained: 1 },
        { date: "2026-02-03", ...none },
      ],
    })
    await it.advance({ minutes: 5 })
    await reported(it, id, { kind: "open" })
    expect((await get("overview")).current).toMatchObject({ opened: 2, machineOpened: 0 })
  })

  test("contract B7.2.6: what became of the mails sent in a span, by the domain of the recipient", async () => {
    expect(await get("domains?startDate=2026-01-31&endDate=2026-01-31")).toEqual([
      {
        domain: "one.test",
        sentCount: 2,
        deliveredCount: 2,
        openedCount: 1,
        clickedCount: 1,
        bouncedCount: 0,
        complainedCount: 0,
        deliveryRate: 100,
        openRate: 50,
        clickRate: 50,
        bounceRate: 0,
        complaintRate: 0,
      },
      expect.objectContaining({ domain: "two.test", sentCount: 1, bouncedCount: 1, bounceRate: 100 }),
    ])
    expect(await get("domains?limit=1")).toMatchObject([{ domain: "one.test", sentCount: 3 }])
  })

  test("contract B7.2.4: the most frequent events with their trend, without names of the service", async () => {
    const track = (event: string, times: number) =>
      Promise.all(
        Array.from({ length: times }, () => it.api("POST /v1/track", { body: { email: "a@one.test", event } })),
      )
    const at = (days: number) => new Date(it.clock.now() + days * 86_400_000).toISOString().slice(0, 10)
    await track("login", 4)
    await track("purchase", 2)
    await track("gone", 1)
    await it.advance({ days: 1 })
    await track("login", 5)
    await track("purchase", 1)
    await track("fresh", 1)
    const today = `startDate=${at(0)}&endDate=${at(0)}`
    expect(await get(`top-events?${today}`)).toEqual([
      { name: "login", count: 5, trend: 25 },
      { name: "fresh", count: 1, trend: 100 },
      { name: "purchase", count: 1, trend: -50 },
    ])
    expect(await get(`top-events?${today}&limit=1`)).toHaveLength(1)
    await it.api("DELETE /events/login")
    expect((await get(`top-events?${today}`))[0].name).toBe("fresh")
    for (let n = 0; n < 22; n++) await track(`many ${n}`, 1)
    expect(await get("top-events")).toHaveLength(5)
    expect(await get("top-events?limit=100")).toHaveLength(20)
  })

  test("contract B7.2.2 and 3: campaigns by open rate, then by mails; and the figures of all", async () => {
    expect(await get("top-campaigns")).toEqual([])
    expect(await get("campaign-stats")).toEqual({
      total: 0,
      active: 0,
      completed: 0,
      averageOpenRate: 0,
      averageClickRate: 0,
    })
    await it.api("POST /contacts", { body: { email: "solo@example.com", subscribed: true, data: { plan: "solo" } } })
    await seedContacts(it, 4, () => ({ data: { plan: "team" } }))
    const ofPlan = (plan: string) => ({
      logic: "AND",
      groups: [{ filters: [{ field: "data.plan", operator: "equals", value: plan }] }],
    })
    const sent: Record<string, string> = {}
    for (const [name, plan, opens] of [
      ["Small", "solo", 0],
      ["Large", "team", 0],
      ["Read", "team", 1],
    ] as const) {
      const { id } = await createCampaign(it, {
        name,
        audienceType: "FILTERED",
        audienceCondition: ofPlan(plan),
        subject: name,
      })
      await sendCampaign(it, id)
      await it.settle()
      sent[name] = id
      for (const mail of (await mailsOf(it, id)).slice(0, opens)) await reported(it, mail.id, { kind: "open" })
    }
    await createCampaign(it)
    const top = await get("top-campaigns")
    expect(top.map(({ name }: { name: string }) => name)).toEqual(["Read", "Large", "Small"])
    expect(top[0]).toEqual({
      id: sent.Read,
      name: "Read",
      subject: "Read",
      sentCount: 4,
      openedCount: 1,
      clickedCount: 0,
      openRate: 25,
      clickRate: 0,
    })
    expect(await get("top-campaigns?limit=1")).toHaveLength(1)
    expect(await get("top-campaigns?endDate=2026-02-01")).toEqual([])
    expect(await get("campaign-stats")).toEqual({
      total: 4,
      active: 1,
      completed: 3,
      averageOpenRate: 11.11,
      averageClickRate: 0,
    })
  })

  test("another project sees nothing of it", async () => {
    const { secret: key } = await it.app.projects.create("Other")
    expect((await it.api("GET /analytics/top-events", { key })).body).toEqual([])
    expect((await it.api("GET /analytics/domains", { key })).body).toEqual([])
    expect((await it.api("GET /analytics/overview", { key })).body.current.sent).toBe(0)
    expect((await it.api("GET /analytics/top-campaigns", { key })).body).toEqual([])
    expect((await it.api("GET /analytics/campaign-stats", { key })).body.total).toBe(0)
  })
})

scenarios("GET /analytics/timeseries", [
  { name: "refuses a public key", key: "public", status: 401, code: "INVALID_API_KEY" },
  ...["timeseries", "overview", "top-campaigns", "campaign-stats", "top-events", "domains"].flatMap((name) => [
    {
      name: `${name}: refuses a start after the end`,
      route: `GET /analytics/${name}?startDate=2026-02-01&endDate=2026-01-01`,
      status: 400,
      code: "BAD_REQUEST",
    },
    {
      name: `${name}: a start in the future has nothing`,
      route: `GET /analytics/${name}?startDate=2030-01-01`,
      status: 200,
    },
  ]),
])
