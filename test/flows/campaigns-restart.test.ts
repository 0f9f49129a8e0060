import { describe, expect, test } from "bun:test"
import { eq, sql } from "drizzle-orm"
import { jobTable } from "../../src/jobs/table.ts"
import { deferred, sent } from "../../src/mail/transport.ts"
import { appOfTest, type TestApp } from "../harness/app.ts"
import { addressesOf, campaignOf, mailsOf, startCampaign } from "../harness/campaigns.ts"
import { seedContacts } from "../harness/contacts.ts"
import { recipients } from "../harness/mails.ts"
import { runJobsUntil } from "../harness/running-jobs.ts"
import { countEffects } from "../harness/scenarios.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()

async function startWith(count: number, home?: string): Promise<TestApp> {
  const it = await appOfTest(home === undefined ? {} : { folder: home })
  await seedContacts(it, count, (at) => ({ email: `a${String(at).padStart(4, "0")}@example.com` }))
  return it
}

/** Stops the app as SIGTERM would and starts it again on the same folder. */
async function restart(it: TestApp): Promise<TestApp> {
  const { folder: home, clock, ids } = it
  await it.stop()
  const again = await appOfTest({ folder: home, clock, ids })
  return again
}

const everybody = (count: number) =>
  Array.from({ length: count }, (_, at) => `a${String(at).padStart(4, "0")}@example.com`)

describe("a campaign continues after a restart", () => {
  test("while its audience was walked: no contact is left out, and none is mailed twice", async () => {
    const before = await startWith(4_000, folder())
    const id = await startCampaign(before)
    const { over } = await runJobsUntil(before, async () => (await mailsOf(before, id)).length > 0)
    const it = await restart(before)
    await over
    const half = (await mailsOf(it, id)).length
    expect(half).toBeGreaterThan(0)
    expect(half).toBeLessThan(4_000)
    expect((await campaignOf(it, id)).status).toBe("SENDING")
    await it.settle()
    expect(await addressesOf(it, id)).toEqual(everybody(4_000))
    expect(await campaignOf(it, id)).toMatchObject({ status: "SENT", totalRecipients: 4_000, sentCount: 4_000 })
  })

  test("while mails waited: the last of them ends it at once", async () => {
    const before = await startWith(3, folder())
    before.transport.answer = ({ to }) => (to.address.startsWith("a0001") ? deferred("Later.") : sent(null))
    const id = await startCampaign(before)
    await before.settle()
    const it = await restart(before)
    expect((await campaignOf(it, id)).status).toBe("SENDING")
    await it.clock.advance(60_000)
    await it.app.emails.delivery.drain()
    await it.app.bus.drain()
    expect(await campaignOf(it, id)).toMatchObject({ status: "SENT", sentCount: 3 })
  })

  test("before it had begun", async () => {
    const before = await startWith(3, folder())
    const id = await startCampaign(before)
    const it = await restart(before)
    await it.settle()
    expect(recipients(it.sent()).sort()).toEqual(everybody(3))
    expect((await campaignOf(it, id)).status).toBe("SENT")
  })

  test("whose walk failed: it is resumed within a minute or two", async () => {
    const it = await startWith(3)
    const id = await startCampaign(it)
    await it.app.store.write(it.project.id, async (unit) => {
      await unit.db.update(jobTable).set({ state: "failed" }).where(eq(jobTable.kind, "campaign.walk"))
    })
    await it.settle()
    expect([(await campaignOf(it, id)).status, it.sent().length]).toEqual(["SENDING", 0])
    await it.advance({ minutes: 1 })
    await it.advance({ minutes: 1 })
    expect(await campaignOf(it, id)).toMatchObject({ status: "SENT", sentCount: 3 })
  })

  test("whose begin job failed, likewise", async () => {
    const it = await startWith(3)
    const id = await startCampaign(it, {}, "2026-01-31T09:16:00Z")
    await it.app.store.write(it.project.id, async (unit) => {
      await unit.db.delete(jobTable).where(eq(jobTable.kind, "campaign.begin"))
    })
    await it.advance({ minutes: 2 })
    await it.advance({ minutes: 1 })
    expect(await campaignOf(it, id)).toMatchObject({ status: "SENT", scheduledFor: "2026-01-31T09:16:00.000Z" })
    expect(it.sent()).toHaveLength(3)
  })

  test("although another one cannot be continued", async () => {
    const it = await startWith(3)
    const [stuck, id] = [
      await startCampaign(it, {}, "2026-01-31T09:16:00Z"),
      await startCampaign(it, {}, "2026-01-31T09:16:00Z"),
    ]
    await it.app.store.write(it.project.id, async (unit) => {
      await unit.db.delete(jobTable).where(eq(jobTable.kind, "campaign.begin"))
      await unit.db.run(
        sql.raw(`CREATE TRIGGER stuck BEFORE INSERT ON job WHEN NEW.unique_key = 'campaign.begin:${stuck}'
          BEGIN SELECT RAISE(ABORT, 'stuck'); END`),
      )
    })
    await it.advance({ minutes: 2 })
    await it.advance({ minutes: 1 })
    expect([(await campaignOf(it, stuck)).status, (await campaignOf(it, id)).status]).toEqual(["SCHEDULED", "SENT"])
    expect(it.complaints).toContainEqual(
      expect.objectContaining({
        message: "A campaign could not be continued",
        fields: expect.objectContaining({ campaign: stuck }),
      }),
    )
  })
})

test("a campaign of many mails is deleted, and all mails stay without a reference to it", async () => {
  const it = await startWith(2_500)
  const id = await startCampaign(it)
  await it.settle()
  expect((await it.api(`DELETE /campaigns/${id}`)).status).toBe(200)
  expect(await mailsOf(it, id)).toEqual([])
  expect((await countEffects(it)).mails).toBe(2_500)
})

test("a contact who opens a mail and unsubscribes by it is counted once, with a one-click event", async () => {
  const it = await startWith(2)
  const id = await startCampaign(it, { body: "<p>Hello</p>" })
  await it.settle()
  const [mail] = it.sent()
  const link = mail?.headers.find(([name]) => name === "List-Unsubscribe")?.[1]?.slice(1, -1) ?? ""
  const leave = () =>
    it.app.fetch(
      new Request(link.replace(/^https?:\/\/[^/]+/, "http://localhost"), {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: "List-Unsubscribe=One-Click",
      }),
    )
  expect((await leave()).status).toBe(200)
  expect((await leave()).status).toBe(200)
  const pixel = /\/t\/o\/[\w-]+\.gif/.exec(mail?.html ?? "")?.[0] ?? ""
  await it.advance({ hours: 1 })
  for (let times = 0; times < 2; times++) expect((await it.api(`GET ${pixel}`, { key: "none" })).status).toBe(200)
  await it.settle()
  const { body } = await it.api(`GET /campaigns/${id}/stats`)
  expect(body.data).toMatchObject({ openedCount: 1, openRate: 50, unsubscribedCount: 1, unsubscribeRate: 50 })
  expect((await countEffects(it)).events).toEqual({ "email.sent": 2, "contact.unsubscribed": 1, "email.open": 2 })
})
