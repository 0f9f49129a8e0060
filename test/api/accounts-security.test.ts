import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { emailTable } from "../../src/modules/emails/index.ts"
import { type Browser, signIn, signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { send } from "../harness/mails.ts"

let it: TestApp
let owner: Browser

beforeAll(async () => {
  it = await startTestApp()
  owner = await signUp(it, "owner@acme.test")
})
afterAll(() => it.close())

/** Sends mail to `count` contacts, the first of which bounce and the next complain. */
async function mail(count: number, { bounces = 0, complaints = 0, at = "example.com" }): Promise<void> {
  const ids = await send(it, ...Array.from({ length: count }, (_, n) => `p${n}@${at}`))
  await it.settle()
  await it.app.store.write(it.project.id, async (unit) => {
    for (const id of ids.slice(0, bounces))
      await it.app.emails.report(unit, id, { kind: "bounce", bounceType: "Permanent" })
    for (const id of ids.slice(bounces, bounces + complaints))
      await it.app.emails.report(unit, id, { kind: "complaint" })
  })
}

const report = async () => (await owner.api(`GET /users/@me/projects/${it.project.id}/security`)).body

describe("The security report (contract B9.5)", () => {
  test("of a project without mail is healthy", async () => {
    const none = { total: 0, bounces: 0, complaints: 0, bounceRate: 0, complaintRate: 0 }
    expect(await report()).toEqual({
      status: {
        projectId: it.project.id,
        isHealthy: true,
        shouldDisable: false,
        twentyFourHour: none,
        sevenDay: none,
        allTime: none,
        isNewProject: true,
        violations: [],
        warnings: [],
      },
      isDisabled: false,
      levels: {
        bounce7Day: "healthy",
        bounceAllTime: "healthy",
        complaint7Day: "healthy",
        complaintAllTime: "healthy",
      },
      limits: expect.any(Array),
    })
  })

  test("has every figure beside its limits, also before one is reached", async () => {
    const limits = async () =>
      (await report()).limits.map(
        ({ metric, window, unit, value, warning, critical, level }: Record<string, string | number>) =>
          `${metric} ${window} ${value} ${unit}: ${warning}, ${critical} ${level}`,
      )
    expect(await limits()).toEqual([
      "bounce sevenDay 0 percent: 5, 10 healthy",
      "bounce allTime 0 percent: 4, 8 healthy",
      "bounce twentyFourHour 0 count: 10, 25 healthy",
      "bounce sevenDay 0 count: 25, 50 healthy",
      "complaint sevenDay 0 percent: 0.075, 0.15 healthy",
      "complaint allTime 0 percent: 0.03, 0.12 healthy",
      "complaint twentyFourHour 0 count: 3, 7 healthy",
      "complaint sevenDay 0 count: 10, 20 healthy",
    ])
  })

  test("counts sent, bounced and complained mails in each window, but not mail to the simulator", async () => {
    await mail(120, { bounces: 6, complaints: 1 })
    await mail(20, { bounces: 20, at: "simulator.amazonses.com" })
    const day = { total: 120, bounces: 6, complaints: 1, bounceRate: 5, complaintRate: 0.8333 }
    const { status, levels } = await report()
    expect(status).toMatchObject({
      twentyFourHour: day,
      sevenDay: day,
      allTime: day,
      isHealthy: false,
      shouldDisable: false,
    })
    expect(levels).toMatchObject({ bounce7Day: "warning", bounceAllTime: "warning", complaint7Day: "healthy" })
    expect([status.violations.length, status.warnings.length]).toEqual([0, 2])
    expect((await report()).limits.slice(0, 3)).toMatchObject([
      { metric: "bounce", window: "sevenDay", unit: "percent", value: 5, level: "warning" },
      { metric: "bounce", window: "allTime", unit: "percent", value: 5, level: "warning" },
      { metric: "bounce", window: "twentyFourHour", unit: "count", value: 6, level: "healthy" },
    ])
  })

  test("excludes mail sent before a window", async () => {
    await it.advance({ hours: 25 })
    expect((await report()).status.twentyFourHour.total).toBe(0)
    expect((await report()).status.sevenDay.total).toBe(120)
    await it.advance({ days: 30 })
    owner = await signIn(it, "owner@acme.test")
    const { status, levels } = await report()
    expect([status.sevenDay.total, status.allTime.total, status.isNewProject]).toEqual([0, 120, false])
    expect(levels).toMatchObject({ bounce7Day: "healthy", bounceAllTime: "warning" })
    expect((await report()).limits.map(({ unit }: { unit: string }) => unit)).toEqual(Array(4).fill("percent"))
  })

  test("does not count waiting mail", async () => {
    const [id = ""] = await send(it, "waiting@example.com")
    await it.app.store.write(it.project.id, (unit) =>
      unit.db.update(emailTable).set({ status: "PENDING", sentAt: null }).where(eq(emailTable.id, id)),
    )
    expect((await report()).status.allTime.total).toBe(120)
    await it.settle()
  })

  test("is wrapped below /projects", async () => {
    const { body } = await owner.api(`GET /projects/${it.project.id}/security`)
    expect(body).toEqual({ success: true, data: await report() })
  })
})

test("The set-up state shows what a project has (contract B8.3.9)", async () => {
  const fresh = (await owner.api("POST /users/@me/projects", { body: { name: "New" } })).body
  const state = async (id: string) => (await owner.api(`GET /projects/${id}/setup-state`)).body
  expect(await state(fresh.id)).toEqual({
    success: true,
    data: {
      hasSubscription: false,
      hasVerifiedDomain: false,
      contactCount: 0,
      lastCampaignSentAt: null,
      hasEnabledWorkflow: false,
    },
  })
  const contactCount = (await it.api("GET /contacts")).body.total
  expect((await state(it.project.id)).data).toMatchObject({ hasVerifiedDomain: true, contactCount })

  const campaign = { name: "News", subject: "News", body: "<p>News</p>", from: "hi@acme.test", audienceType: "ALL" }
  const { body } = await it.api("POST /campaigns", { body: campaign })
  await it.api(`POST /campaigns/${body.data?.id ?? body.id}/send`, { body: {} })
  const startedAt = new Date(it.clock.now()).toISOString()
  await it.advance({ minutes: 1 })
  expect((await state(it.project.id)).data.lastCampaignSentAt).toBe(startedAt)
})
