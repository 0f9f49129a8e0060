import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { countEffects, gained } from "../harness/scenarios.ts"

const track = { route: "POST /v1/track", body: { email: "a@example.com", event: "e" }, wanted: "pk", other: "sk" }
const send = {
  route: "POST /v1/send",
  body: { to: "a@example.com", from: "hi@acme.test", subject: "Hi", body: "Hi" },
  wanted: "sk",
  other: "pk",
}
const reading = ["GET /emails", "GET /emails/x", "GET /contacts/x"].map((route) => ({
  route,
  body: undefined,
  wanted: "sk",
  other: "pk",
}))
const endpoints = [track, send, ...reading]
const nothing = { events: {}, mails: 0, contacts: 0 }

describe("Keys (contract A1.5)", () => {
  let it: TestApp
  beforeAll(async () => {
    it = await startTestApp()
  })
  afterAll(() => it.close())

  test("are a prefix and 64 hexadecimal characters, a pair for each project", async () => {
    expect(it.project.secret).toMatch(/^sk_[0-9a-f]{64}$/)
    expect(it.project.publicKey).toMatch(/^pk_[0-9a-f]{64}$/)
    const other = await it.app.projects.create("Pair")
    expect(new Set([other.secret, other.publicKey, it.project.secret, it.project.publicKey]).size).toBe(4)
  })

  describe.each(endpoints)("on $route", ({ route, body, wanted, other }) => {
    const refused = async (headers: Record<string, string>, key = "none") => {
      const before = await countEffects(it)
      const answer = await it.api(route, { key, headers, body })
      expect([answer.status, answer.body.error.code]).toEqual([401, "INVALID_API_KEY"])
      expect(gained(before, await countEffects(it))).toEqual(nothing)
      expect(answer.headers.has("ratelimit-limit")).toBe(false)
    }
    const key = () => (wanted === "sk" ? it.project.secret : it.project.publicKey)

    test("of the right kind are accepted", async () => {
      expect((await it.api(route, { key: wanted, body })).status).toBe(/\/x$/.test(route) ? 404 : 200)
    })

    test("are required", () => refused({}))
    test("of the other kind are refused", () => refused({}, other))
    test("are not read from a query parameter, a cookie or another header", async () => {
      const answer = await it.api(`${route}?key=${key()}&api_key=${key()}`, {
        key: "none",
        body,
        headers: { "X-API-Key": key(), Cookie: `key=${key()}` },
      })
      expect(answer.body.error.code).toBe("INVALID_API_KEY")
    })
    test.each([
      ["an unknown one", (good: string) => `Bearer ${good.slice(0, 3)}${"0".repeat(64)}`],
      ["one with a character too many", (good: string) => `Bearer ${good}0`],
      ["one with a character missing", (good: string) => `Bearer ${good.slice(0, -1)}`],
      ["one in capitals", (good: string) => `Bearer ${good.toUpperCase()}`],
      ["its hexadecimal part alone", (good: string) => `Bearer ${good.slice(3)}`],
      [
        "the same under the other prefix",
        (good: string) => `Bearer ${good.startsWith("s") ? "pk" : "sk"}_${good.slice(3)}`,
      ],
      ["a prefix alone", (good: string) => `Bearer ${good.slice(0, 3)}`],
      ["no key after Bearer", () => "Bearer"],
      ["no scheme", (good: string) => good],
      ["another scheme", (good: string) => `Basic ${good}`],
      ["Basic authentication", (good: string) => `Basic ${Buffer.from(`${good}:`).toString("base64")}`],
      ["two keys", (good: string) => `Bearer ${good}, Bearer ${good}`],
      ["a key in quotes", (good: string) => `Bearer "${good}"`],
    ])("are refused when %s", (_, header) => refused({ Authorization: header(key()) }))

    test.each(["bearer", "BEARER", "bEaReR"])("may follow the scheme %s", async (scheme) => {
      const answer = await it.api(route, { key: "none", body, headers: { Authorization: `${scheme} ${key()}` } })
      expect(answer.status).toBe(/\/x$/.test(route) ? 404 : 200)
    })

    test("identify the project", async () => {
      const other = await it.app.projects.create("Elsewhere")
      const answer = await it.api(route, { key: wanted === "sk" ? other.secret : other.publicKey, body })
      // Its sender domain belongs to another project.
      expect(answer.status).toBe(route === "POST /v1/send" ? 403 : /\/x$/.test(route) ? 404 : 200)
      if (route === "GET /emails") expect(answer.body.total).toBe(0)
    })

    test("of a disabled project are refused, and work again when it is enabled (contract A1.5.4)", async () => {
      await it.app.projects.setDisabled(it.project.id, "MANUAL")
      const before = await countEffects(it)
      const answer = await it.api(route, { key: wanted, body })
      expect([answer.status, answer.body.error.code]).toEqual([403, "PROJECT_DISABLED"])
      expect(gained(before, await countEffects(it))).toEqual(nothing)
      await it.app.projects.setDisabled(it.project.id, null)
      expect((await it.api(route, { key: wanted, body })).status).toBe(/\/x$/.test(route) ? 404 : 200)
    })
  })

  test("of another project can neither read nor change ours", async () => {
    const other = await it.app.projects.create("Neighbour")
    const ours = await it.api("POST /v1/track", {
      body: { email: "shared@example.com", event: "e", data: { plan: "ours" } },
    })
    const theirs = await it.api("POST /v1/track", {
      key: other.publicKey,
      body: { email: "shared@example.com", event: "e", data: { plan: "theirs" } },
    })
    expect(theirs.body.data.contact).not.toBe(ours.body.data.contact)
    expect((await it.api(`GET /contacts/${ours.body.data.contact}`)).body.data).toEqual({ plan: "ours" })
    expect((await it.api(`GET /contacts/${theirs.body.data.contact}`, { key: other.secret })).body).toMatchObject({
      projectId: other.id,
      data: { plan: "theirs" },
    })
  })

  test.each(["GET /health", "GET /config"])("are not required for %s", async (route) => {
    for (const key of ["none", "pk", "sk_wrong"]) expect((await it.api(route, { key })).status).toBe(200)
  })

  test.each(["GET /users/@me", "GET /users/@me/projects"])("are refused for %s", async (route) => {
    for (const key of ["none", "pk", "sk"]) {
      const answer = await it.api(route, { key })
      expect([answer.status, answer.body.error.code]).toEqual([401, "UNAUTHORIZED"])
    }
  })
})
