import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { jobTable } from "../../src/jobs/table.ts"
import { day, hour, iso, minute, second } from "../../src/kernel/clock.ts"
import { backUp, restore } from "../harness/backups.ts"
import { campaignOf, createSegment, mailsOf, startCampaign } from "../harness/campaigns.ts"
import { seedContacts } from "../harness/contacts.ts"
import { manualSandbox, turn } from "../harness/manual-clock.ts"
import { scratch, writesDone } from "../harness/store.ts"

const scratchFolder = scratch()

interface Happened {
  at: string
  what: string
}

const atAndWhat = (happened: readonly Happened[], from: number) =>
  happened.map(({ at, what, ...rest }) => [Date.parse(at) - from, what, rest] as const)

test("a scheduled campaign begins at its time and its deferred mail is tried again at its times, in one turn", async () => {
  const it = await manualSandbox()
  const begun = it.clock.now()
  await seedContacts(it, 2, (at) => ({ email: at === 0 ? "ada@example.com" : "defer@simulator.test" }))
  const id = await startCampaign(it, {}, iso(begun + 3 * day))

  const early = await turn(it, "2d")
  expect([early.emails, early.jobs["campaign.begin"], (await campaignOf(it, id)).status]).toEqual([
    0,
    undefined,
    "SCHEDULED",
  ])

  const { now, emails, events, jobs, happened } = await turn(it, "2d")
  expect([now, emails, jobs["campaign.begin"]]).toEqual([iso(begun + 4 * day), 2, 1])
  expect(events).toMatchObject({ "email.sent": 2, "email.delivery": 2 })
  const mails = atAndWhat(happened, begun + 3 * day).filter(([, what]) => what === "email")
  expect(mails).toEqual([
    [0, "email", expect.objectContaining({ to: "ada@example.com", campaignId: id })],
    [6 * minute, "email", expect.objectContaining({ to: "defer@simulator.test", campaignId: id })],
  ])
  expect(await campaignOf(it, id)).toMatchObject({ status: "SENT", sentAt: iso(begun + 3 * day), deliveredCount: 2 })
  expect((await mailsOf(it, id)).map(({ attempt, sentAt }) => [attempt, (sentAt ?? 0) - begun])).toEqual([
    [1, 3 * day],
    [3, 3 * day + 6 * minute],
  ])
})

test("whoever unsubscribes before the hand-over gets nothing, in the inbox too (contract B1.6.3)", async () => {
  const it = await manualSandbox()
  await seedContacts(it, 1, () => ({ email: "defer@simulator.test" }))
  const id = await startCampaign(it, {}, iso(it.clock.now() + hour))
  await turn(it, "1h")
  expect((await mailsOf(it, id)).map(({ status }) => status)).toEqual(["PENDING"])
  const { body } = await it.api("GET /contacts")
  await it.api(`PATCH /contacts/${body.data[0].id}`, { body: { subscribed: false } })
  await turn(it, "1h")
  expect((await mailsOf(it, id)).map(({ status, error }) => [status, error])).toEqual([["CANCELLED", "unsubscribed"]])
})

test("what becomes due on the way is done in the order of its time", async () => {
  const it = await manualSandbox()
  const begun = it.clock.now()
  await seedContacts(it, 1, () => ({ email: "ada@example.com" }))
  const names = ["third", "first", "second"]
  const hours = [72, 1, 26]
  for (const [index, name] of names.entries())
    await startCampaign(it, { name, subject: name }, iso(begun + (hours[index] ?? 0) * hour))
  const { happened } = await turn(it, "30d")
  const mails = atAndWhat(happened, begun).filter(([, what]) => what === "email")
  expect(
    mails.map(([at, , { subject }]: readonly [number, string, { subject?: string }]) => [at / hour, subject]),
  ).toEqual([
    [1, "first"],
    [26, "second"],
    [72, "third"],
  ])
})

describe("a segment whose members leave by time", () => {
  const activeLately = {
    logic: "AND",
    groups: [{ filters: [{ field: "event.login", operator: "triggeredWithin", value: 7, unit: "days" }] }],
  }

  test("records that they left when its next computation is due, not at the end of the turn", async () => {
    const it = await manualSandbox({ settings: { "segments.compute_seconds": "21600" } })
    const begun = it.clock.now()
    await createSegment(it, { name: "Active", condition: activeLately, trackMembership: true })
    await it.api("POST /v1/track", { body: { email: "ada@example.com", event: "login" } })
    const { events, happened, jobs } = await turn(it, "10d")
    expect(events).toMatchObject({ "segment.active.entry": 1, "segment.active.exit": 1 })
    expect(jobs["segment.compute"]).toBe(40)
    const left = happened.find(({ name }: { name?: string }) => name === "segment.active.exit")
    const after = Date.parse(left.at) - begun - 7 * day
    expect([after > 0, after <= 6 * hour]).toEqual([true, true])
  })

  test("is computed once in a turn when no membership depends on time", async () => {
    const it = await manualSandbox()
    await createSegment(it, { name: "Active", condition: activeLately, trackMembership: false })
    expect((await turn(it, "10d")).jobs["segment.compute"]).toBe(1)
  })
})

test("an idempotency key expires with the time of the sandbox", async () => {
  const it = await manualSandbox()
  const send = async () => {
    const body = { to: "ada@example.com", from: "hi@shop.test", subject: "Hello", body: "<p>Hello</p>" }
    return it.api("POST /v1/send", { body, headers: { "Idempotency-Key": "one" } })
  }
  const first = (await send()).status
  await turn(it, "23h")
  const second = (await send()).status
  await turn(it, "2h")
  expect([first, second, (await send()).status]).toEqual([200, 409, 200])
})

test("mail over the limit per second is waited for in real time", async () => {
  const it = await manualSandbox({ settings: { "limits.emails_per_second": "2" } })
  const to = Array.from({ length: 6 }, (_, index) => `a${index}@example.com`)
  await it.api("POST /v1/send", { body: { to, from: "hi@shop.test", subject: "Hello", body: "<p>Hello</p>" } })
  const turning = turn(it, "1h")
  const real = it.clock.now()
  let answered = false
  void turning.then(() => {
    answered = true
  })
  while (!answered) {
    await it.clock.advance(100)
    // Otherwise minutes would pass while the disk stores a mail.
    await writesDone(it.app.store)
  }
  const { emails, happened, from } = await turning
  expect([emails, it.clock.now() - real >= 2 * second]).toEqual([6, true])
  // All before the clock moved on.
  expect(new Set(happened.map(({ at }: Happened) => at))).toEqual(new Set([from]))
})

test("mail is captured at once however long the clock stands still (contract A8.3.2, A8.3.8)", async () => {
  const it = await manualSandbox()
  const send = async () => {
    const body = { to: "ada@example.com", from: "hi@shop.test", subject: "Hello", body: "<p>Hello</p>" }
    const { body: answer } = await it.api("POST /v1/send", { body })
    await it.settle()
    return (await it.api(`GET /emails/${answer.data.emails[0].email}`)).body.status
  }
  const first = await send()
  await it.advance({ hours: 1 })
  expect([first, await send()]).toEqual(["DELIVERED", "DELIVERED"])
})

test("a turn that the server's stop cuts short ends where it stands, and a new process goes on there", async () => {
  const it = await manualSandbox({ settings: { "segments.compute_seconds": "60", "limits.requests_per_minute": "0" } })
  const begun = it.clock.now()
  await createSegment(it, {
    name: "Active",
    trackMembership: true,
    condition: {
      logic: "AND",
      groups: [{ filters: [{ field: "event.login", operator: "triggeredWithin", value: 7, unit: "days" }] }],
    },
  })
  const turning = it.api("POST /sandbox/clock", { body: { advance: "300d" } }).catch((cause: Error) => cause)
  const clockOf = async () => Date.parse((await it.api("GET /sandbox/clock")).body.now)
  while ((await clockOf()) < begun + 10 * minute) await new Promise(setImmediate)
  await it.stop()
  await turning
  const { folder, clock, ids } = it
  const again = await manualSandbox({ folder, clock, ids })
  const stands = Date.parse((await again.api("GET /sandbox/clock")).body.now)
  expect([stands >= begun + 10 * minute, stands < begun + 300 * day]).toEqual([true, true])
  const [latest] = await again.app.store.read
    .select({ at: jobTable.createdAt })
    .from(jobTable)
    .orderBy(jobTable.createdAt)
  expect(latest?.at ?? 0).toBeLessThanOrEqual(stands)
})

test("a backup has where the clock stands, and the restored sandbox goes on there (contract A8.3.8)", async () => {
  const it = await manualSandbox()
  const begun = it.clock.now()
  await turn(it, "40d")
  const campaign = await startCampaign(it, {}, iso(begun + 50 * day))
  await it.stop()
  const { folder, clock, ids } = it
  const [file, restored] = [join(scratchFolder(), "backup"), join(scratchFolder(), "restored")]
  await backUp(folder, file)
  await restore(file, restored, { secretFile: join(folder, "secret") })
  const again = await manualSandbox({ folder: restored, clock, ids })
  expect((await again.api("GET /sandbox/clock")).body.now).toBe(iso(begun + 40 * day))
  await turn(again, "10d")
  expect((await campaignOf(again, campaign)).status).toBe("SENT")
})
