import { describe, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { cursorTable } from "../../src/bus/table.ts"
import { idempotencyTable } from "../../src/http/table.ts"
import { jobTable, recurringTable } from "../../src/jobs/table.ts"
import { day, hour, iso, minute } from "../../src/kernel/clock.ts"
import { uuids } from "../../src/kernel/ids.ts"
import { deferred } from "../../src/mail/transport.ts"
import { leaseMs } from "../../src/modules/emails/delivery/transport-queue.ts"
import { emailTable } from "../../src/modules/emails/table.ts"
import { appOfTest, type TestApp, type TestOptions } from "../harness/app.ts"
import { campaignOf, startCampaign } from "../harness/campaigns.ts"
import { seedContacts } from "../harness/contacts.ts"
import { createFakeClock } from "../harness/fake-clock.ts"
import { accept, recipients, rowOf, send } from "../harness/mails.ts"

async function start(options: TestOptions = {}): Promise<TestApp> {
  const it = await appOfTest(options)
  await it.settle()
  return it
}

/** When the clock is corrected: in the same process, or while the server is down. */
const ways = {
  "while it runs": async (it: TestApp, ms: number) => {
    it.clock.jump(ms)
    return it
  },
  "while it is down": async (it: TestApp, ms: number) => {
    await it.stop()
    it.clock.jump(ms)
    const { folder, clock, ids, transport } = it
    const again = await appOfTest({ folder, clock, ids })
    again.transport.answer = transport.answer
    return again
  },
}

const cases = [1, 400].flatMap((days) => Object.entries(ways).map(([way, put]) => [days, way, put] as const))

describe.each(cases)("a clock that is %p days ahead and is corrected %s", (days, _, putRight) => {
  const ahead = days * day

  test("does not delay mail that was accepted meanwhile", async () => {
    const first = await start()
    first.clock.jump(ahead)
    await send(first, "ada@example.com")
    await accept(first, {}, "bo@example.com")
    const it = await putRight(first, -ahead)
    await it.settle()
    expect(recipients(it.sent())).toEqual(["ada@example.com", "bo@example.com"])
  })

  test("keeps the delay of a failed mail before its next attempt", async () => {
    const first = await start()
    first.clock.jump(ahead)
    first.transport.answer = () => deferred("busy")
    const [id] = await send(first, "ada@example.com")
    await first.settle()
    expect((await rowOf(first, id)).dueAt).toBe(first.clock.now() + minute)
    const it = await putRight(first, -ahead)
    await it.settle()
    expect((await rowOf(it, id)).dueAt).toBe(it.clock.now() + minute)
    await it.advance({ minutes: 1 })
    expect((await rowOf(it, id)).attempt).toBe(2)
  })

  test("has interrupted mail settled after its lease at the latest", async () => {
    const first = await start()
    const [id = ""] = await accept(first, {}, "ada@example.com")
    const leaseUntil = first.clock.now() + ahead + leaseMs
    const leased = { status: "SENDING", attempt: 1, leaseOwner: "another node", leaseUntil } as const
    await first.app.store.write(first.project.id, async (unit) => {
      await unit.db.update(emailTable).set(leased).where(eq(emailTable.id, id))
    })
    first.clock.jump(ahead)
    await first.settle()
    const it = await putRight(first, -ahead)
    await it.settle()
    expect((await rowOf(it, id)).leaseUntil).toBe(it.clock.now() + leaseMs)
  })

  test("does not stop recurring work", async () => {
    const first = await start()
    first.clock.jump(ahead)
    await first.settle()
    const it = await putRight(first, -ahead)
    await it.settle()
    const entries = await it.app.store.read.select().from(recurringTable)
    expect(entries.length).toBeGreaterThan(1)
    for (const { nextAt } of entries) expect(nextAt - it.clock.now()).toBeLessThanOrEqual(day)
    const before = await it.app.store.read.$count(jobTable, eq(jobTable.kind, "campaign.reconcile"))
    await it.advance({ minutes: 1 })
    expect(await it.app.store.read.$count(jobTable, eq(jobTable.kind, "campaign.reconcile"))).toBe(before + 1)
  })

  test("begins a campaign that was sent meanwhile, and keeps the time of one that was scheduled", async () => {
    const first = await start()
    await seedContacts(first, 3, () => ({ subscribed: true }))
    const at = first.clock.now() + ahead + 2 * hour
    first.clock.jump(ahead)
    const now = await startCampaign(first)
    const later = await startCampaign(first, { name: "Later" }, iso(at))
    const it = await putRight(first, -ahead)
    await it.settle()
    await it.settle()
    expect((await campaignOf(it, now)).status).toBe("SENT")
    expect(await campaignOf(it, later)).toMatchObject({ status: "SCHEDULED", scheduledFor: iso(at) })
    await it.clock.advance(at - it.clock.now() - 1)
    await it.settle()
    expect((await campaignOf(it, later)).status).toBe("SCHEDULED")
    await it.advance({ ms: 1 })
    expect((await campaignOf(it, later)).status).not.toBe("SCHEDULED")
  })

  test("has work that was interrupted meanwhile done after its lease at the latest", async () => {
    const first = await start()
    await seedContacts(first, 3, () => ({ subscribed: true }))
    first.clock.jump(ahead)
    const id = await startCampaign(first)
    await first.app.store.write("instance", async ({ db, now }) => {
      const leased = {
        state: "running",
        attempt: 1,
        leaseOwner: first.app.store.node,
        leaseUntil: now + minute,
      } as const
      await db.update(jobTable).set(leased).where(eq(jobTable.kind, "campaign.walk"))
    })
    const it = await putRight(first, -ahead)
    await it.settle()
    await it.advance({ minutes: 2 })
    expect((await campaignOf(it, id)).status).toBe("SENT")
  })

  test("keeps an idempotency key for its usual time, and no longer", async () => {
    const first = await start()
    first.clock.jump(ahead)
    const track = (it: TestApp) =>
      it.api("POST /v1/track", {
        body: { email: "ada@example.com", event: "e" },
        headers: { "Idempotency-Key": "order-1" },
      })
    expect((await track(first)).status).toBe(200)
    const it = await putRight(first, -ahead)
    await it.settle()
    expect((await track(it)).status).toBe(409)
    await it.clock.advance(day - 1)
    expect((await track(it)).status).toBe(409)
    await it.clock.advance(1)
    expect((await track(it)).status).toBe(200)
    expect(await it.app.store.read.$count(idempotencyTable)).toBe(1)
  })

  test("leaves new mail unread, and read what was read meanwhile", async () => {
    const clock = createFakeClock()
    const first = await start({ clock, ids: uuids(clock) })
    await seedContacts(first, 2, () => ({ subscribed: true }))
    first.clock.jump(ahead)
    await send(first, "ada@example.com")
    await startCampaign(first)
    await first.settle()
    await first.api("POST /inbox/read", { body: {} })
    const it = await putRight(first, -ahead)
    await it.settle()
    const unread = async (): Promise<unknown[]> => {
      const { data } = (await it.api("GET /inbox?search=is:unread")).body
      return [...data.map(({ to }: { to: string }) => to), (await it.api("GET /inbox/unread")).body.unread]
    }
    await it.advance({ ms: 1 })
    await send(it, "bo@example.com")
    expect(await unread()).toEqual(["bo@example.com", 1])
    await it.api("POST /inbox/read", { body: {} })
    await it.advance({ ms: 1 })
    await send(it, "cy@example.com")
    expect(await unread()).toEqual(["cy@example.com", 1])
  })

  test("does not delay subscribers of the bus", async () => {
    const first = await start()
    first.clock.jump(ahead)
    await first.app.store.write("instance", async (unit) => {
      await unit.db.update(cursorTable).set({ failures: 1, retryAt: unit.now + 200 })
    })
    const it = await putRight(first, -ahead)
    await send(it, "ada@example.com")
    await it.settle()
    await it.advance({ seconds: 15 })
    const cursors = await it.app.store.read.select().from(cursorTable)
    expect(cursors.filter(({ retryAt }) => retryAt > it.clock.now())).toEqual([])
  })
})

test.each([1, 400])("the rate limit opens a new window when a clock %p days ahead is corrected", async (days) => {
  const it = await start({ settings: { "limits.requests_per_minute": "2" } })
  it.clock.jump(days * day)
  const track = () => it.api("POST /v1/track", { body: { email: "ada@example.com", event: "e" } })
  for (const status of [200, 200, 429]) expect((await track()).status).toBe(status)
  it.clock.jump(-days * day)
  expect((await track()).status).toBe(200)
  expect((await track()).headers.get("ratelimit-reset")).toBe("60")
  const { status, headers } = await track()
  expect([status, headers.get("retry-after")]).toEqual([429, "60"])
})

test.each([1, 400])("a clock that is set forward by %p days delays nothing", async (days) => {
  const it = await start()
  it.transport.answer = () => deferred("busy")
  const [id] = await send(it, "ada@example.com")
  await it.settle()
  it.transport.answer = () => ({ outcome: "sent", providerId: null })
  it.clock.jump(days * day)
  await it.settle()
  expect(await rowOf(it, id)).toMatchObject({ status: "SENT", attempt: 2 })
  await send(it, "bo@example.com")
  await it.settle()
  expect(recipients(it.sent()).at(-1)).toBe("bo@example.com")
  const before = await it.app.store.read.$count(jobTable, eq(jobTable.kind, "campaign.reconcile"))
  await it.advance({ minutes: 1 })
  expect(await it.app.store.read.$count(jobTable, eq(jobTable.kind, "campaign.reconcile"))).toBeGreaterThan(before)
})
