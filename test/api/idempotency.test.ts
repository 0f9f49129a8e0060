import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { sql } from "drizzle-orm"
import { idempotencyTable } from "../../src/http/table.ts"
import type { ApiCall } from "../harness/api.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { countEffects, gained, type Scenario, scenarios } from "../harness/scenarios.ts"

const event = { email: "a@example.com", event: "signup" }
const mail = { to: "a@example.com", from: "hi@acme.test", subject: "Hi", body: "Hi" }
const withKey = (key: string, call: ApiCall = {}): ApiCall => ({
  ...call,
  headers: { ...call.headers, "Idempotency-Key": key },
})
const nothing = { events: {}, mails: 0, contacts: 0 }

const form = (key: string, code?: string): Omit<Scenario, "name"> => ({
  headers: { "Idempotency-Key": key },
  ...(code === undefined
    ? { status: 200, events: { signup: 1 } }
    : { status: 422, code: "VALIDATION_ERROR", fields: { "Idempotency-Key": code } }),
})

scenarios(
  "POST /v1/track: the idempotency key (contract A1.10.1)",
  [
    { name: "may be missing", body: event, status: 200, events: { signup: 1 } },
    { name: "may have one character", body: event, ...form("!") },
    { name: "may have 255", body: event, ...form("k".repeat(255)) },
    {
      name: "may have any from space to tilde",
      body: event,
      ...form(`a ${Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).join("")}`),
    },
    { name: "may not be empty", body: event, ...form("", "too_small") },
    { name: "may not have 256", body: event, ...form("k".repeat(256), "too_big") },
    { name: "may not have other characters", body: event, ...form("caf\u00e9", "invalid_string") },
    { name: "may not have a tab", body: event, ...form("a\tb", "invalid_string") },
    { name: "is looked at before the body", raw: "{", ...form("", "too_small") },
  ],
  { seed: (it) => it.api("POST /v1/track", { body: event }) },
)

describe("An idempotency key (contract A1.10)", () => {
  let it: TestApp
  beforeAll(async () => {
    it = await startTestApp()
    await it.api("POST /v1/track", { body: event })
  })
  afterAll(() => it.close())

  const track = (key: string, call: ApiCall = {}) => it.api("POST /v1/track", withKey(key, { body: event, ...call }))
  const send = (key: string, call: ApiCall = {}) => it.api("POST /v1/send", withKey(key, { body: mail, ...call }))
  const refused = async (call: () => ReturnType<typeof track>) => {
    const before = await countEffects(it)
    const { status, body } = await call()
    expect([status, body.error.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"])
    expect(gained(before, await countEffects(it))).toEqual(nothing)
    return body.error.details
  }

  /** A request whose body is sent only when `finish` is called. */
  function halfway(route: string, key: string) {
    let finish = (_: string): void => {}
    const raw = new ReadableStream<Uint8Array>({
      start(controller) {
        finish = (text) => {
          controller.enqueue(new TextEncoder().encode(text))
          controller.close()
        }
      },
    })
    const answer = it.api(route, withKey(key, { raw, headers: { "Content-Type": "application/json" } }))
    return { answer, finish: (body: unknown) => finish(JSON.stringify(body)) }
  }

  test("is valid for one request; the next one gets its status", async () => {
    expect((await track("once")).status).toBe(200)
    await it.advance({ seconds: 5 })
    const details = {
      key: "once",
      originalRequest: "POST /v1/track",
      originalRequestAt: "2026-01-31T09:15:00.000Z",
      originalStatusCode: 200,
    }
    expect(await refused(() => track("once"))).toEqual(details)
    expect(await refused(() => track("once", { body: { email: "other@example.com", event: "other" } }))).toEqual(
      details,
    )
    expect(await refused(() => track("once", { raw: "{", body: undefined }))).toEqual(details)
  })

  test("is shared by both endpoints and both keys of a project", async () => {
    expect((await send("shared")).status).toBe(200)
    expect(await refused(() => track("shared"))).toMatchObject({
      originalRequest: "POST /v1/send",
      originalStatusCode: 200,
    })
    expect((await track("shared the other way")).status).toBe(200)
    expect(await refused(() => send("shared the other way"))).toMatchObject({ originalRequest: "POST /v1/track" })
  })

  test("is case-sensitive and not trimmed", async () => {
    expect((await track("Case")).status).toBe(200)
    expect((await track("case")).status).toBe(200)
  })

  test("names the request without the slash at its end (contract A1.2.5)", async () => {
    expect((await it.api("POST /v1/track/", withKey("slash", { key: it.project.publicKey, body: event }))).status).toBe(
      200,
    )
    expect(await refused(() => track("slash"))).toMatchObject({ originalRequest: "POST /v1/track" })
  })

  test("of another project is another", async () => {
    const other = await it.app.projects.create("Other")
    expect((await track("neighbours")).status).toBe(200)
    expect((await track("neighbours", { key: other.publicKey })).status).toBe(200)
  })

  test("is ignored by other endpoints", async () => {
    for (let i = 0; i < 2; i++) expect((await it.api("GET /emails", withKey("elsewhere"))).status).toBe(200)
    expect((await it.api("GET /emails", withKey(""))).status).toBe(200)
    expect((await track("elsewhere")).status).toBe(200)
  })

  test.each([
    ["POST /v1/track", event],
    ["POST /v1/send", mail],
  ])("is claimed while %s is in flight, before its body is read", async (route, body) => {
    const key = `in flight ${route}`
    const first = halfway(route, key)
    const details = {
      key,
      originalRequest: route,
      originalRequestAt: new Date(it.clock.now()).toISOString(),
      originalStatusCode: null,
    }
    expect(await refused(() => track(key))).toEqual(details)
    expect(await refused(() => send(key))).toEqual(details)
    first.finish(body)
    expect((await first.answer).status).toBe(200)
    expect(await refused(() => track(key))).toEqual({ ...details, originalStatusCode: 200 })
  })

  test("accepts one of many concurrent requests", async () => {
    const before = await countEffects(it)
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => (at % 2 ? track("crowd") : send("crowd"))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    const { events, mails } = gained(before, await countEffects(it))
    expect((events.signup ?? 0) + mails).toBe(1)
  })

  test("in flight is freed by a refusal", async () => {
    const first = halfway("POST /v1/track", "refused in flight")
    await refused(() => track("refused in flight"))
    first.finish({})
    expect((await first.answer).status).toBe(422)
    expect((await track("refused in flight")).status).toBe(200)
  })

  const json = { "Content-Type": "application/json" }
  test.each<[number, string, ApiCall]>([
    [400, "POST /v1/track", { raw: "{", headers: json }],
    [400, "POST /v1/track", { raw: "{}", headers: { "Content-Type": "text/plain" } }],
    [403, "POST /v1/send", { body: { ...mail, from: "hi@other.test" } }],
    [404, "POST /v1/send", { body: { ...mail, template: "0199c0de-0000-7000-8000-0000000fffff" } }],
    [
      413,
      "POST /v1/track",
      { raw: new Uint8Array(51 * 1_048_576), headers: { ...json, "Content-Length": String(51 * 1_048_576) } },
    ],
    [422, "POST /v1/track", { body: {} }],
    [422, "POST /v1/send", { body: { ...mail, body: "{{#if}}" } }],
  ])("is freed by a %d (contract A1.10.4): %s", async (status, route, call) => {
    const key = crypto.randomUUID()
    expect((await it.api(route, withKey(key, call))).status).toBe(status)
    expect((await track(key)).status).toBe(200)
  })

  test("is not freed by the 409 of another", async () => {
    await track("kept")
    await refused(() => track("kept"))
    await refused(() => track("kept"))
  })

  test("is kept by a 500, which reveals nothing of its cause", async () => {
    await it.app.store.write(
      it.project.id,
      async (unit) => void (await unit.db.run(sql`ALTER TABLE event RENAME TO event_away`)),
    )
    const failed = await track("five hundred")
    await it.app.store.write(
      it.project.id,
      async (unit) => void (await unit.db.run(sql`ALTER TABLE event_away RENAME TO event`)),
    )
    expect([failed.status, failed.body.error.code]).toEqual([500, "INTERNAL_SERVER_ERROR"])
    expect(JSON.stringify(failed.body)).not.toContain("event")
    expect(it.complaints.at(-1)?.fields.requestId).toBe(failed.body.error.requestId)
    expect(await refused(() => track("five hundred"))).toMatchObject({ originalStatusCode: 500 })
  })

  test("is free again 24 hours after its claim, at once", async () => {
    const first = halfway("POST /v1/track", "expiring")
    await refused(() => track("expiring"))
    await it.advance({ seconds: 10 })
    first.finish(event)
    expect((await first.answer).status).toBe(200)
    await it.advance({ hours: 23, minutes: 59, seconds: 49, ms: 999 })
    await refused(() => track("expiring"))
    await it.advance({ ms: 1 })
    expect((await track("expiring")).status).toBe(200)
    await refused(() => track("expiring"))
  })

  test("that has expired is deleted", async () => {
    await it.advance({ days: 2 })
    expect(await it.app.store.read.$count(idempotencyTable)).toBe(0)
  })
})

test("The life of idempotency keys is configured in hours (contract A1.10.4)", async () => {
  const it = await startTestApp({ settings: { "limits.idempotency_hours": "2" } })
  const track = async () => (await it.api("POST /v1/track", withKey("short", { body: event }))).status
  expect(await track()).toBe(200)
  await it.advance({ hours: 1, minutes: 59 })
  expect(await track()).toBe(409)
  await it.advance({ minutes: 1 })
  expect(await track()).toBe(200)
  await it.close()
})

test("After a stop a key is kept with all its effects, or free without any (contract A1.10.5)", async () => {
  const first = await startTestApp()
  const { folder, clock, ids } = first
  expect((await first.api("POST /v1/send", withKey("done", { body: mail }))).status).toBe(200)
  const never = new ReadableStream<Uint8Array>({})
  void first.api("POST /v1/send", withKey("cut off", { raw: never, headers: { "Content-Type": "application/json" } }))
  expect((await first.api("POST /v1/send", withKey("cut off", { body: mail }))).status).toBe(409)
  await first.stop()

  const again = await startTestApp({ folder, clock, ids })
  const before = await countEffects(again)
  expect(before).toMatchObject({ mails: 1, contacts: 1 })
  const done = await again.api("POST /v1/send", withKey("done", { body: mail }))
  expect([done.status, done.body.error.details.originalStatusCode]).toEqual([409, 200])
  expect((await again.api("POST /v1/send", withKey("cut off", { body: mail }))).status).toBe(200)
  expect(gained(before, await countEffects(again))).toMatchObject({ mails: 1 })
  await again.close()
})
