import { describe, expect, test } from "bun:test"
import { eq, sql } from "drizzle-orm"
import type { Outgoing } from "../../src/mail/transport.ts"
import { sent } from "../../src/mail/transport.ts"
import { contactTable } from "../../src/modules/contacts/index.ts"
import { segmentTable } from "../../src/modules/segments/index.ts"
import { appOfTest } from "../harness/app.ts"
import {
  addressesOf,
  campaignOf,
  cancelCampaign,
  createCampaign,
  createSegment,
  mailsOf,
  startCampaign,
} from "../harness/campaigns.ts"
import { seedContacts } from "../harness/contacts.ts"
import { setVerified } from "../harness/domains.ts"
import { transportsOf } from "../harness/mails.ts"
import { recordingTransport } from "../harness/recording-transport.ts"
import { runJobsUntil } from "../harness/running-jobs.ts"
import { countEffects } from "../harness/scenarios.ts"
import { fillDisk, freeDisk, until } from "../harness/store.ts"

const addressAt = (at: number): string => `c${String(at).padStart(5, "0")}@example.com`

async function startWith(count: number, data: (at: number) => Record<string, unknown> = () => ({})) {
  const transport = recordingTransport({ batch: 100 })
  const it = await appOfTest({ overrides: { transports: transportsOf(transport) } })
  await seedContacts(it, count, (at) => ({ email: addressAt(at), data: data(at) }))
  return { it, handed: () => transport.handed.map(({ to }) => to.address), transport }
}

const everybody = (count: number): string[] => Array.from({ length: count }, (_, at) => addressAt(at))

describe("a poisoned contact in the middle of 10,000", () => {
  const count = 10_000
  const poison = { list: Array.from({ length: 300 }, () => 1), text: "x".repeat(50_000) }
  const bomb = "{{#each list}}{{../text}}{{/each}}"
  const data = (at: number) => (at === 5_000 ? poison : { first: `C${at}` })

  test("fails alone when its subject cannot be rendered, with the reason", async () => {
    const { it, handed } = await startWith(count, data)
    const id = await startCampaign(it, { subject: `Hi {{first}} ${bomb}` })
    await it.settle()
    const mails = await mailsOf(it, id)
    const failed = mails.filter(({ status }) => status === "FAILED")
    expect(failed).toHaveLength(1)
    expect(failed[0]).toMatchObject({ to: addressAt(5_000), error: "The rendered text is too large.", attempt: 0 })
    expect(handed().toSorted()).toEqual(everybody(count).filter((one) => one !== addressAt(5_000)))
    expect(await campaignOf(it, id)).toMatchObject({
      status: "SENT",
      totalRecipients: count,
      sentCount: count - 1,
      failedCount: 1,
    })
    expect((await countEffects(it)).events).toEqual({ "email.sent": count - 1 })
  })

  test("fails alone when its body cannot be rendered", async () => {
    const { it, handed } = await startWith(500, (at) => (at === 250 ? poison : {}))
    const id = await startCampaign(it, { body: `<p>${bomb}</p>` })
    await it.settle()
    const failed = (await mailsOf(it, id)).filter(({ status }) => status === "FAILED")
    expect(failed.map(({ to, error }) => [to, error])).toEqual([[addressAt(250), "The rendered text is too large."]])
    expect(handed()).toHaveLength(499)
    expect(await campaignOf(it, id)).toMatchObject({ status: "SENT", sentCount: 499, failedCount: 1 })
  })

  test("cannot inject a header by its data", async () => {
    const first = "Eve\r\nBcc: everybody@example.com\0\u0007"
    const { it, transport } = await startWith(3, (at) => (at === 1 ? { first } : {}))
    const id = await startCampaign(it, { subject: "Hi {{first}}" })
    await it.settle()
    const mime = transport.handed.map((message) => new TextDecoder().decode(message.mime()))
    expect(mime.filter((text) => /^bcc:/im.test(text.split("\r\n\r\n", 1)[0] ?? ""))).toEqual([])
    expect((await mailsOf(it, id)).map(({ status }) => status)).toEqual(["SENT", "SENT", "SENT"])
  })
})

describe("two requests to send at once", () => {
  test("give one success and one conflict, with one mail for each contact", async () => {
    const { it } = await startWith(50)
    const { id } = await createCampaign(it)
    const answers = await Promise.all(Array.from({ length: 5 }, () => it.api(`POST /campaigns/${id}/send`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    await it.settle()
    expect(await addressesOf(it, id)).toEqual(everybody(50))
  })

  test("one of them scheduled, send once", async () => {
    const { it } = await startWith(50)
    const id = await startCampaign(it, {}, "2026-01-31T09:16:00Z")
    await it.clock.advance(60_000)
    const [, answer] = await Promise.all([it.settle(), it.api(`POST /campaigns/${id}/send`)])
    await it.settle()
    expect([200, 409]).toContain(answer.status)
    expect(await addressesOf(it, id)).toEqual(everybody(50))
    expect((await campaignOf(it, id)).status).toBe("SENT")
  })

  test("with a concurrent cancellation, have the result of one of the orders", async () => {
    const { it } = await startWith(200)
    const { id } = await createCampaign(it)
    const [first, cancelled] = await Promise.all([
      it.api(`POST /campaigns/${id}/send`),
      cancelCampaign(it, id),
      it.api(`POST /campaigns/${id}/send`),
    ])
    expect(first.status).toBe(200)
    await it.settle()
    const { status } = await campaignOf(it, id)
    expect(status).toBe(cancelled.status === 200 ? "CANCELLED" : "SENT")
  })
})

describe("a cancellation that races with", () => {
  test.each([1, 7, 40, 120])(
    "the delivery, after %p mails: no cancelled mail is sent, and none twice",
    async (after) => {
      const { it, transport, handed } = await startWith(300)
      Object.assign(transport.limits, { batch: 1 })
      let cancelledAt: string[] | undefined
      transport.answer = async (_: Outgoing) => {
        await new Promise(setImmediate)
        return sent(null)
      }
      const id = await startCampaign(it)
      await it.app.jobs.drain()
      it.app.emails.delivery.loop.start()
      await until(() => handed().length >= after)
      const { body } = await cancelCampaign(it, id)
      cancelledAt = (await mailsOf(it, id)).filter(({ status }) => status === "CANCELLED").map(({ to }) => to)
      expect(body.data.status).toBe("CANCELLED")
      await it.app.emails.delivery.loop.stop()
      await it.settle()
      expect(handed().filter((to) => cancelledAt.includes(to))).toEqual([])
      expect(new Set(handed()).size).toBe(handed().length)
      const campaign = await campaignOf(it, id)
      expect(campaign.sentCount).toBe(handed().length)
      expect(campaign.sentCount + campaign.cancelledCount).toBe(300)
    },
  )

  test("the walk makes no mail after it", async () => {
    const { it, handed } = await startWith(5_000)
    const id = await startCampaign(it)
    const { over } = await runJobsUntil(it, async () => (await mailsOf(it, id)).length > 0)
    const { body } = await cancelCampaign(it, id)
    const made = (await mailsOf(it, id)).length
    await over
    await it.settle()
    expect(made).toBeLessThan(5_000)
    expect(await mailsOf(it, id)).toHaveLength(made)
    expect(body.data).toMatchObject({ totalRecipients: made, cancelledCount: made })
    expect(handed()).toEqual([])
  })
})

describe("a deletion while a campaign is walked", () => {
  test("of contacts: they get no mail, and every other contact gets one", async () => {
    const { it } = await startWith(3_000)
    const id = await startCampaign(it)
    const { over } = await runJobsUntil(it, async () => (await mailsOf(it, id)).length > 0)
    const position = (await mailsOf(it, id)).length
    await it.app.store.write(it.project.id, async (unit) => {
      await unit.db.delete(contactTable).where(sql`seq % 2 = 0`)
    })
    await over
    await it.settle()
    expect(position).toBeLessThan(3_000)
    const left = (await it.app.store.read.select().from(contactTable)).map(({ email }) => email).toSorted()
    expect(left).toHaveLength(1_500)
    expect(await addressesOf(it, id)).toEqual(left)
    expect((await campaignOf(it, id)).status).toBe("SENT")
  })

  test("of its segment: the walk ends, and mails already made are sent", async () => {
    const { it } = await startWith(3_000, () => ({ plan: "pro" }))
    const condition = { logic: "AND", groups: [{ filters: [{ field: "data.plan", operator: "exists" }] }] }
    const segmentId = await createSegment(it, { condition })
    const id = await startCampaign(it, { audienceType: "SEGMENT", segmentId })
    const { over } = await runJobsUntil(it, async () => (await mailsOf(it, id)).length > 0)
    await it.app.store.write(it.project.id, async (unit) => {
      await unit.db.delete(segmentTable).where(eq(segmentTable.id, segmentId))
    })
    await over
    await it.settle()
    const campaign = await campaignOf(it, id)
    expect(campaign).toMatchObject({ status: "SENT", segment: null })
    expect(campaign.sentCount).toBe((await mailsOf(it, id)).length)
    expect(campaign.totalRecipients).toBe(campaign.sentCount)
    expect(campaign.sentCount).toBeGreaterThan(0)
  })

  test("of the verification of its sender: the campaign continues", async () => {
    const { it } = await startWith(100)
    const id = await startCampaign(it)
    await setVerified(it, "acme.test", false)
    await it.settle()
    expect(await campaignOf(it, id)).toMatchObject({ status: "SENT", sentCount: 100 })
  })
})

test("a walk that meets a full disk continues once there is space, and no contact is mailed twice", async () => {
  const { it } = await startWith(2_000, () => ({ first: "x".repeat(500) }))
  const id = await startCampaign(it)
  await fillDisk(it.app.store)
  await it.app.jobs.drain().catch(() => {})
  await freeDisk(it.app.store)
  expect((await mailsOf(it, id)).length).toBeLessThan(2_000)
  await it.advance({ minutes: 2 })
  await it.advance({ minutes: 2 })
  expect(await addressesOf(it, id)).toEqual(everybody(2_000))
  expect(await campaignOf(it, id)).toMatchObject({ status: "SENT", sentCount: 2_000 })
})
