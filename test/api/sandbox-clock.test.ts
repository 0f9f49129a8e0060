import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { day, hour, iso, minute } from "../../src/kernel/clock.ts"
import { appOfTest, startTestApp, type TestApp } from "../harness/app.ts"

const manual = { mode: "sandbox", settings: { "sandbox.clock": "manual" } } as const

describe("The clock of the sandbox (contract A8.3.8)", () => {
  let it: TestApp
  let start: number
  beforeAll(async () => {
    it = await startTestApp(manual)
    start = it.clock.now()
  })
  afterAll(() => it.close())

  const now = async () => (await it.api("GET /sandbox/clock")).body.now
  const turn = (body: object) => it.api("POST /sandbox/clock", { body })

  test("stands still while real time passes", async () => {
    await it.clock.advance(day)
    const { status, body } = await it.api("GET /sandbox/clock")
    expect([status, body]).toEqual([200, { manual: true, now: iso(start) }])
    const contact = await it.api("POST /contacts", { body: { email: "still@example.com" } })
    expect(contact.body.createdAt).toBe(iso(start))
  })

  test.each([
    ["90s", 90_000],
    ["1h30m", 90 * minute],
    ["250ms", 250],
    ["2w", 14 * day],
    [" 1d ", day],
    ["0s", 0],
  ])("is advanced by %p", async (advance, ms) => {
    const from = await now()
    const { status, body } = await turn({ advance })
    expect([status, body.from, body.now, body.complete]).toEqual([200, from, iso(Date.parse(from) + ms), true])
    expect(await now()).toBe(body.now)
  })

  test.each([
    ["2027-03-01T10:00:00Z", "2027-03-01T10:00:00.000Z"],
    ["2027-03-01T12:00:00+01:00", "2027-03-01T11:00:00.000Z"],
    ["2027-03-02", "2027-03-02T00:00:00.000Z"],
    ["2027-03-02T01:30", "2027-03-02T01:30:00.000Z"],
  ])("is turned to %p", async (to, reached) => {
    if ((await now()) < "2027") await turn({ to: "2027-01-01" })
    expect((await turn({ to })).body).toMatchObject({ manual: true, now: reached, complete: true })
  })

  test.each([
    [{}, "advance", "custom"],
    [{ advance: null }, "advance", "custom"],
    [{ advance: "1d", to: "2030-01-01" }, "advance", "custom"],
    [{ advance: 7 }, "advance", "invalid_type"],
    [{ advance: "" }, "advance", "invalid_string"],
    [{ to: "" }, "to", "invalid_string"],
    [{ advance: "a week" }, "advance", "invalid_string"],
    [{ advance: "7" }, "advance", "invalid_string"],
    [{ advance: "1.5d" }, "advance", "invalid_string"],
    [{ advance: "-1d" }, "advance", "invalid_string"],
    [{ advance: "1d 2h" }, "advance", "invalid_string"],
    [{ advance: "401d" }, "advance", "too_big"],
    [{ advance: "999999999999999w" }, "advance", "too_big"],
    [{ to: "tomorrow" }, "to", "invalid_string"],
    [{ to: "2027-02-30" }, "to", "invalid_string"],
    [{ to: "2027-01-31T25:00:00Z" }, "to", "invalid_string"],
    [{ to: "2020-01-01T00:00:00Z" }, "to", "too_small"],
    [{ to: "2099-01-01T00:00:00Z" }, "to", "too_big"],
  ])("is not turned by %p", async (body, field, code) => {
    const before = await now()
    const { status, body: answer } = await turn(body)
    expect([status, answer.error?.errors?.[0]]).toEqual([422, expect.objectContaining({ field, code })])
    expect(await now()).toBe(before)
  })

  test("is turned by one request after the other", async () => {
    const from = Date.parse(await now())
    const answers = await Promise.all([turn({ advance: "1h" }), turn({ advance: "1d" }), turn({ advance: "1h" })])
    expect(answers.map(({ body }) => [Date.parse(body.from) - from, Date.parse(body.now) - from])).toEqual([
      [0, hour],
      [hour, hour + day],
      [hour + day, 2 * hour + day],
    ])
  })

  test("is not for the public key, and not without a key", async () => {
    for (const key of ["pk", "none"])
      expect((await it.api("POST /sandbox/clock", { key, body: { advance: "1d" } })).status).toBe(401)
  })

  test("tells a project what happened in it, and not what happened in another", async () => {
    const other = await it.app.projects.create("Other")
    for (const key of ["sk", other.secret]) {
      const mail = { to: "ada@example.com", from: "hi@shop.test", subject: "Hello", body: "<p>Hello</p>" }
      expect((await it.api("POST /v1/send", { key, body: mail })).status).toBe(200)
    }
    const { body } = await turn({ advance: "0s" })
    expect(body.emails).toBe(1)
    expect(body.events).toEqual({ "email.sent": 1, "email.delivery": 1 })
    expect(body.happened).toEqual([
      {
        at: body.now,
        what: "email",
        id: expect.any(String),
        to: "ada@example.com",
        subject: "Hello",
        campaignId: null,
      },
      { at: body.now, what: "event", id: expect.any(String), name: "email.delivery", contactId: expect.any(String) },
    ])
    expect((await turn({ advance: "0s" })).body).toMatchObject({ emails: 0, happened: [], omitted: 0 })
  })

  test("lists 200 things, and counts the others", async () => {
    const to = Array.from({ length: 150 }, (_, index) => `many${index}@example.com`)
    await it.api("POST /v1/send", { body: { to, from: "hi@shop.test", subject: "Hello", body: "<p>Hello</p>" } })
    const { body } = await turn({ advance: "0s" })
    expect([body.emails, body.happened.length, body.omitted]).toEqual([150, 200, 100])
  })
})

describe("Elsewhere", () => {
  test("a sandbox that follows the system tells its time and refuses to be turned with 409", async () => {
    const it = await appOfTest({ mode: "sandbox" })
    expect((await it.api("GET /sandbox/clock")).body).toEqual({ manual: false, now: iso(it.clock.now()) })
    const { status, body } = await it.api("POST /sandbox/clock", { body: { advance: "1d" } })
    expect([status, body.error.code]).toEqual([409, "CLOCK_NOT_MANUAL"])
    expect(body.error.suggestion).toContain("--clock manual")
  })

  test("a server has no such address", async () => {
    const it = await appOfTest()
    expect((await it.api("GET /sandbox/clock")).status).toBe(404)
    expect((await it.api("POST /sandbox/clock", { body: { advance: "1d" } })).status).toBe(404)
  })

  test("a manual clock goes on where it stood, and a sandbox that follows the system forgets that", async () => {
    const first = await appOfTest(manual)
    const begun = first.clock.now()
    await first.api("POST /sandbox/clock", { body: { advance: "30d" } })
    await first.stop()
    const { folder, clock, ids } = first
    expect(readFileSync(join(folder, "clock"), "utf8")).toBe(iso(begun + 30 * day))

    await clock.advance(hour)
    const second = await appOfTest({ ...manual, folder, clock, ids })
    expect((await second.api("GET /sandbox/clock")).body.now).toBe(iso(begun + 30 * day))
    await second.stop()

    const third = await appOfTest({ mode: "sandbox", folder, clock, ids })
    expect((await third.api("GET /sandbox/clock")).body.now).toBe(iso(begun + hour))
    await third.stop()

    const fourth = await appOfTest({ ...manual, folder, clock, ids })
    expect((await fourth.api("GET /sandbox/clock")).body.now).toBe(iso(begun + hour))
  })

  test("limits per minute are about real time", async () => {
    const it = await appOfTest({
      mode: "sandbox",
      settings: { "sandbox.clock": "manual", "limits.requests_per_minute": "3" },
    })
    const ask = async () => (await it.api("GET /contacts")).status
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([200, 200, 200, 429])
    await it.clock.advance(minute)
    expect(await ask()).toBe(200)
  })
})

test("What is stored after a restart comes after what was there, though the clock has not moved", async () => {
  const first = await startTestApp({ ...manual, realIds: true })
  const track = (it: TestApp, event: string) => it.api("POST /v1/track", { body: { email: "ada@example.com", event } })
  for (const event of ["a", "b"]) await track(first, event)
  await first.stop()
  await first.clock.advance(minute)
  const { folder, clock } = first
  const second = await startTestApp({ ...manual, folder, clock, realIds: true })
  for (const event of ["c", "d"]) await track(second, event)
  const { body } = await second.api("GET /events")
  expect(body.data.map(({ name }: { name: string }) => name)).toEqual(["d", "c", "b", "a"])
  expect(new Set(body.data.map(({ createdAt }: { createdAt: string }) => createdAt)).size).toBe(1)
  await second.close()
})
