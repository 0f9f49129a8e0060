import { afterEach, describe, expect, test } from "bun:test"
import type { ApiAnswer } from "../harness/api.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { countEffects, gained } from "../harness/scenarios.ts"

const event = { email: "a@example.com", event: "e" }

const standOf = ({ headers }: ApiAnswer) =>
  ["limit", "remaining", "reset"].map((name) => headers.get(`ratelimit-${name}`))

describe("The rate limit (contract A1.9)", () => {
  let it: TestApp
  afterEach(() => it.close())
  const start = async (perMinute: string) => {
    it = await startTestApp({ settings: { "limits.requests_per_minute": perMinute } })
  }
  const track = (body: unknown = event) => it.api("POST /v1/track", { body })

  test("is 1000 a minute unless configured", async () => {
    it = await startTestApp()
    expect(standOf(await track())).toEqual(["1000", "999", "60"])
  })

  test("counts down, refuses beyond, and has Retry-After", async () => {
    await start("3")
    expect(standOf(await track())).toEqual(["3", "2", "60"])
    await it.advance({ seconds: 10 })
    expect(standOf(await track())).toEqual(["3", "1", "50"])
    expect(standOf(await track())).toEqual(["3", "0", "50"])
    const before = await countEffects(it)
    const refused = await track()
    expect([refused.status, refused.body.error.code, refused.body.error.details]).toEqual([
      429,
      "RATE_LIMIT_EXCEEDED",
      { retryAfter: 50 },
    ])
    expect(refused.headers.get("retry-after")).toBe("50")
    expect(standOf(refused)).toEqual(["3", "0", "50"])
    expect(gained(before, await countEffects(it))).toEqual({ events: {}, mails: 0, contacts: 0 })
  })

  test("limits requests with the public key to their share", async () => {
    it = await startTestApp({
      settings: { "limits.requests_per_minute": "4", "limits.public_requests_per_minute": "2" },
    })
    const contacts = () => it.api("GET /contacts")
    expect(standOf(await track())).toEqual(["2", "1", "60"])
    expect(standOf(await contacts())).toEqual(["4", "2", "60"])
    expect(standOf(await track())).toEqual(["2", "0", "60"])
    for (let more = 0; more < 3; more++) {
      const refused = await track()
      expect([refused.status, refused.headers.get("retry-after"), standOf(refused)]).toEqual([
        429,
        "60",
        ["2", "0", "60"],
      ])
    }
    expect(standOf(await contacts())).toEqual(["4", "0", "60"])
    expect((await contacts()).status).toBe(429)
    await it.advance({ seconds: 60 })
    expect([(await track()).status, (await track()).status, (await track()).status]).toEqual([200, 200, 429])
  })

  test("gives the public key no more than the total", async () => {
    it = await startTestApp({
      settings: { "limits.requests_per_minute": "2", "limits.public_requests_per_minute": "5" },
    })
    await it.api("GET /contacts")
    expect(standOf(await track())).toEqual(["2", "0", "60"])
    expect((await track()).status).toBe(429)
  })

  test("counts whole seconds, at least one", async () => {
    await start("1")
    await track()
    await it.advance({ seconds: 59, ms: 1 })
    expect((await track()).headers.get("retry-after")).toBe("1")
    await it.advance({ ms: 998 })
    const last = await track()
    expect([last.status, last.headers.get("retry-after"), last.body.error.details.retryAfter]).toEqual([429, "1", 1])
    await it.advance({ ms: 1 })
    expect((await track()).status).toBe(200)
  })

  test("opens a window with the first request after the last one ended", async () => {
    await start("2")
    await track()
    await it.advance({ seconds: 150 })
    expect(standOf(await track())).toEqual(["2", "1", "60"])
    await it.advance({ seconds: 59 })
    expect(standOf(await track())).toEqual(["2", "0", "1"])
    expect((await track()).status).toBe(429)
    await it.advance({ seconds: 1 })
    expect(standOf(await track())).toEqual(["2", "1", "60"])
  })

  test("counts every request with a key, whatever its outcome", async () => {
    await start("9")
    const json = { "Content-Type": "application/json" }
    const outcomes = [
      await track(),
      await track({ email: "no" }),
      await it.api("POST /v1/track", { raw: "{", headers: json }),
      await it.api("POST /v1/track", { body: event, headers: { "Idempotency-Key": "" } }),
      await it.api("POST /v1/send", { body: { to: "a@example.com", from: "hi@other.test", subject: "s", body: "b" } }),
      await it.api("GET /emails"),
      await it.api("HEAD /emails"),
      await it.api("GET /emails/x"),
      await it.api("GET /emails?cursor=x"),
    ]
    expect(outcomes.map((answer) => [answer.status, answer.headers.get("ratelimit-remaining")])).toEqual([
      [200, "8"],
      [422, "7"],
      [400, "6"],
      [422, "5"],
      [403, "4"],
      [200, "3"],
      [200, "2"],
      [404, "1"],
      [400, "0"],
    ])
    for (const route of ["GET /emails", "GET /emails/x", "POST /v1/send", "POST /v1/track"])
      expect((await it.api(route)).status).toBe(429)
  })

  test("does not count requests refused by earlier checks", async () => {
    await start("1")
    const early = [
      await it.api("GET /emails", { key: "none" }),
      await it.api("GET /emails", { key: "pk" }),
      await it.api("GET /emails", { key: "sk_wrong" }),
      await it.api("GET /nowhere"),
      await it.api("GET /v1/track"),
      await it.api("OPTIONS /v1/track"),
      await it.api("GET /health"),
    ]
    await it.app.projects.setDisabled(it.project.id, "MANUAL")
    early.push(await track())
    await it.app.projects.setDisabled(it.project.id, null)
    expect(early.map(standOf)).toEqual(early.map(() => [null, null, null]))
    expect(standOf(await track())).toEqual(["1", "0", "60"])
  })

  test("is shared by both keys of a project, and separate for each project", async () => {
    await start("2")
    const other = await it.app.projects.create("Other")
    await track()
    expect(standOf(await it.api("GET /emails"))).toEqual(["2", "0", "60"])
    expect((await track()).status).toBe(429)
    expect(standOf(await it.api("GET /emails", { key: other.secret }))).toEqual(["2", "1", "60"])
  })

  test("0 switches it off, without headers", async () => {
    await start("0")
    for (let i = 0; i < 50; i++) {
      const answer = await it.api("GET /emails")
      expect([answer.status, ...standOf(answer)]).toEqual([200, null, null, null])
    }
  })
})
