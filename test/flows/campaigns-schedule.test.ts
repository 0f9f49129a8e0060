import { describe, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { deferred } from "../../src/mail/transport.ts"
import { segmentTable } from "../../src/modules/segments/index.ts"
import { appOfTest } from "../harness/app.ts"
import {
  addressesOf,
  campaignOf,
  createSegment,
  mailsOf,
  news,
  onPlan,
  sendCampaign,
  startCampaign,
  startWith,
  statusesOf,
} from "../harness/campaigns.ts"
import { setVerified } from "../harness/domains.ts"
import { recipients } from "../harness/mails.ts"
import { all, field, inSegment } from "../harness/segments.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()

describe("a scheduled campaign", () => {
  const tomorrow = "2026-02-01T09:15:00.000Z"

  test("begins at its time and keeps it", async () => {
    const it = await startWith(2)
    const id = await startCampaign(it, {}, tomorrow)
    await it.advance({ hours: 23, minutes: 59 })
    expect([(await campaignOf(it, id)).status, it.sent().length]).toEqual(["SCHEDULED", 0])
    await it.advance({ minutes: 1 })
    expect(await campaignOf(it, id)).toMatchObject({
      status: "SENT",
      scheduledFor: tomorrow,
      sentAt: tomorrow,
      sentCount: 2,
    })
  })

  test("begins at the next start if the time has passed while the server was down", async () => {
    const home = folder()
    const before = await startWith(2, { folder: home })
    const id = await startCampaign(before, {}, tomorrow)
    await before.stop()
    await before.clock.advance(3 * 86_400_000)
    const { clock, ids } = before
    const it = await appOfTest({ folder: home, clock, ids })
    await it.settle()
    expect(await campaignOf(it, id)).toMatchObject({
      status: "SENT",
      scheduledFor: tomorrow,
      sentAt: "2026-02-03T09:15:00.000Z",
      sentCount: 2,
    })
  })

  test("is for those who are in the tracked segments it names by then, also when the server was down (contract B1.5.2)", async () => {
    const home = folder()
    // The periodic computation of segments is yet to come when the campaigns begin.
    const settings = { "segments.compute_seconds": String(30 * 86_400) }
    const before = await startWith(2, { folder: home, settings })
    const recent = await createSegment(before, {
      trackMembership: true,
      condition: all(field("createdAt", "within", 1, "days")),
    })
    const named = { audienceType: "FILTERED", audienceCondition: all(inSegment(recent)) }
    const outer = await createSegment(before, { condition: named.audienceCondition })
    await before.api(`POST /segments/${recent}/compute`)
    const inTime = await startCampaign(before, named, tomorrow)
    const late = [
      await startCampaign(before, named, "2026-02-02T00:00:00Z"),
      await startCampaign(before, { audienceType: "SEGMENT", segmentId: outer }, "2026-02-02T00:00:00Z"),
    ]
    await before.advance({ days: 1 })
    expect((await campaignOf(before, inTime)).sentCount).toBe(2)
    await before.stop()
    await before.clock.advance(3 * 86_400_000)
    const { clock, ids } = before
    const it = await appOfTest({ folder: home, clock, ids, settings })
    await it.settle()
    for (const id of late) expect(await campaignOf(it, id)).toMatchObject({ status: "SENT", totalRecipients: 0 })
  })

  test("begins once at its last scheduled time, earlier or later", async () => {
    const it = await startWith(1)
    const [sooner, later] = [await startCampaign(it, {}, tomorrow), await startCampaign(it, {}, tomorrow)]
    const muchSooner = await startCampaign(it, {}, "2100-01-01T00:00:00Z")
    const statuses = () =>
      Promise.all([sooner, later, muchSooner].map(async (id) => (await campaignOf(it, id)).status as string))
    await sendCampaign(it, sooner, "2026-01-31T10:00:00Z")
    for (const id of [later, muchSooner]) await sendCampaign(it, id, "2026-02-02T00:00:00Z")
    await it.advance({ hours: 1 })
    expect(await statuses()).toEqual(["SENT", "SCHEDULED", "SCHEDULED"])
    // Past the first time of the one that was put off.
    await it.advance({ hours: 24 })
    expect(await statuses()).toEqual(["SENT", "SCHEDULED", "SCHEDULED"])
    await it.advance({ hours: 24 })
    expect(await statuses()).toEqual(["SENT", "SENT", "SENT"])
    expect(await Promise.all([sooner, later, muchSooner].map((id) => addressesOf(it, id)))).toEqual(
      Array(3).fill(["a0@example.com"]),
    )
  })

  test("is sent with its replaced content, to the audience at its time", async () => {
    const it = await startWith(3)
    const id = await startCampaign(it, {}, tomorrow)
    const body = { ...news, subject: "Changed", audienceType: "FILTERED", audienceCondition: onPlan("pro") }
    await it.api(`PUT /campaigns/${id}`, { body })
    expect((await campaignOf(it, id)).totalRecipients).toBe(0)
    await it.api("POST /contacts", { body: { email: "a2@example.com", data: { plan: "pro" } } })
    await it.api("POST /contacts", { body: { email: "new@example.com", subscribed: true, data: { plan: "pro" } } })
    await it.advance({ days: 1 })
    expect(recipients(it.sent())).toEqual(["a2@example.com", "new@example.com"])
    expect(it.sent()[0]?.subject).toBe("Changed")
    expect((await campaignOf(it, id)).totalRecipients).toBe(2)
  })

  test("is cancelled at its time when its sender may no longer send", async () => {
    const it = await startWith(2)
    const id = await startCampaign(it, {}, tomorrow)
    await setVerified(it, "acme.test", false)
    await it.advance({ days: 1 })
    expect(await campaignOf(it, id)).toMatchObject({
      status: "CANCELLED",
      cancelReason: "sender_unverified",
      scheduledFor: tomorrow,
      sentAt: null,
    })
    expect(await mailsOf(it, id)).toEqual([])
  })

  test("has no recipients when its segment is deleted", async () => {
    const it = await startWith(2)
    const segmentId = await createSegment(it, { type: "STATIC" })
    await it.api(`POST /segments/${segmentId}/members`, { body: { emails: ["a0@example.com"] } })
    const id = await startCampaign(it, { audienceType: "SEGMENT", segmentId }, tomorrow)
    await it.app.store.write(it.project.id, async (unit) => {
      await unit.db.delete(segmentTable).where(eq(segmentTable.id, segmentId))
    })
    await it.advance({ days: 1 })
    expect(await campaignOf(it, id)).toMatchObject({ status: "SENT", totalRecipients: 0, segment: null, segmentId })
  })

  test("is cancelled with its project", async () => {
    const it = await startWith(2)
    const id = await startCampaign(it, {}, tomorrow)
    await it.app.projects.setDisabled(it.project.id, "MANUAL")
    await it.advance({ minutes: 1 })
    await it.advance({ minutes: 1 })
    await it.app.projects.setDisabled(it.project.id, null)
    await it.advance({ days: 1 })
    expect(await campaignOf(it, id)).toMatchObject({ status: "CANCELLED", cancelReason: "project_disabled" })
    expect(it.sent()).toEqual([])
  })
})

describe("a project that is disabled", () => {
  test("leaves campaigns and mail of others as they are", async () => {
    const it = await startWith(2)
    const [scheduled, begun] = [await startCampaign(it, {}, "2026-02-01T09:15:00Z"), await startCampaign(it)]
    await it.app.jobs.drain()
    await it.app.projects.setDisabled((await it.app.projects.create("Other")).id, "MANUAL")
    await it.settle()
    expect(await campaignOf(it, begun)).toMatchObject({ status: "SENT", sentCount: 2 })
    await it.advance({ days: 1 })
    expect(await campaignOf(it, scheduled)).toMatchObject({ status: "SENT", sentCount: 2 })
  })

  test("has its campaigns cancelled before they make mails", async () => {
    const it = await startWith(2)
    const id = await startCampaign(it)
    await it.app.projects.setDisabled(it.project.id, "EMAIL_REPUTATION")
    await it.settle()
    await it.app.projects.setDisabled(it.project.id, null)
    expect(await campaignOf(it, id)).toMatchObject({ status: "CANCELLED", cancelReason: "project_disabled" })
    expect(await mailsOf(it, id)).toEqual([])
  })

  test("has waiting mails of its campaigns cancelled at once, also when it is enabled again before anybody looks", async () => {
    const it = await startWith(2)
    it.transport.answer = () => deferred("Later.", it.clock.now() + 3_600_000)
    const [running, planned] = [await startCampaign(it), await startCampaign(it, {}, "2100-01-01T00:00:00Z")]
    await it.settle()
    await it.app.projects.setDisabled(it.project.id, "MANUAL")
    await it.app.projects.setDisabled(it.project.id, null)
    await it.settle()
    expect(await statusesOf(it, running)).toEqual(["CANCELLED", "CANCELLED"])
    for (const id of [running, planned])
      expect(await campaignOf(it, id)).toMatchObject({ status: "CANCELLED", cancelReason: "project_disabled" })
  })

  test("has ended its campaigns and its mail when it is disabled (contract B9.4.5)", async () => {
    const it = await startWith(2)
    it.transport.answer = () => deferred("Later.", it.clock.now() + 3_600_000)
    const [running, planned] = [await startCampaign(it), await startCampaign(it, {}, "2100-01-01T00:00:00Z")]
    const body = { to: "ann@example.com", from: "news@acme.test", subject: "Hello", body: "<p>Hello</p>" }
    const { data } = (await it.api("POST /v1/send", { body })).body as { data: { emails: { email: string }[] } }
    await it.settle()
    // Nothing else runs before it is enabled again, which revives nothing.
    await it.app.projects.setDisabled(it.project.id, "MANUAL")
    await it.app.projects.setDisabled(it.project.id, null)
    for (const id of [running, planned])
      expect(await campaignOf(it, id)).toMatchObject({ status: "CANCELLED", cancelReason: "project_disabled" })
    expect(await statusesOf(it, running)).toEqual(["CANCELLED", "CANCELLED"])
    expect((await it.api(`GET /emails/${data.emails[0]?.email}`)).body).toMatchObject({
      status: "FAILED",
      error: "project_disabled",
    })
  })

  test("has all mails of a campaign cancelled, also when they are more than one unit cancels (contract B1.6.5)", async () => {
    const it = await startWith(5_050)
    const id = await startCampaign(it)
    await it.app.jobs.drain()
    await it.app.projects.setDisabled(it.project.id, "MANUAL")
    await it.settle()
    const cancelled = { status: "CANCELLED", cancelReason: "project_disabled", totalRecipients: 5_050 }
    await it.app.projects.setDisabled(it.project.id, null)
    expect(await campaignOf(it, id)).toMatchObject({ ...cancelled, cancelledCount: 5_050, failedCount: 0 })
    expect(it.sent()).toEqual([])
  })

  test("gives up mail that waits to be tried again", async () => {
    const it = await startWith(0)
    it.transport.answer = () => deferred("Later.", it.clock.now() + 3_600_000)
    const body = { to: "ann@example.com", from: "news@acme.test", subject: "Hello", body: "<p>Hello</p>" }
    const { data } = (await it.api("POST /v1/send", { body })).body as { data: { emails: { email: string }[] } }
    await it.settle()
    await it.app.projects.setDisabled(it.project.id, "MANUAL")
    await it.settle()
    await it.app.projects.setDisabled(it.project.id, null)
    const { body: email } = await it.api(`GET /emails/${data.emails[0]?.email}`)
    expect(email).toMatchObject({ status: "FAILED", error: "project_disabled" })
  })

  test("has waiting mails of its campaigns cancelled within a minute", async () => {
    const it = await startWith(2)
    it.transport.answer = () => deferred("Later.", it.clock.now() + 3_600_000)
    const id = await startCampaign(it)
    await it.settle()
    await it.app.projects.setDisabled(it.project.id, "MANUAL")
    await it.advance({ minutes: 1 })
    await it.advance({ minutes: 1 })
    await it.app.projects.setDisabled(it.project.id, null)
    expect(await statusesOf(it, id)).toEqual(["CANCELLED", "CANCELLED"])
    expect(await campaignOf(it, id)).toMatchObject({ status: "CANCELLED", totalRecipients: 2, cancelledCount: 2 })
  })
})
