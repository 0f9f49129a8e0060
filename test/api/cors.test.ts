import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { signUp } from "../harness/accounts.ts"
import type { ApiAnswer } from "../harness/api.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"

const friend = "https://app.acme.test"
const stranger = "https://evil.test"

const list = (answer: ApiAnswer, header: string): string[] =>
  (answer.headers.get(header) ?? "")
    .split(",")
    .map((part) => part.trim().toLowerCase())
    .filter(Boolean)
    .sort()

const corsHeadersOf = ({ headers }: ApiAnswer): string[] =>
  [...headers.keys()].filter((name) => name.startsWith("access-control-"))

describe("CORS (contract A1.11)", () => {
  let it: TestApp
  beforeAll(async () => {
    it = await startTestApp({ settings: { "http.cors_origins": friend } })
  })
  afterAll(() => it.close())

  test.each(["/v1/track", "/v1/send", "/v1/anything"])(
    "a preflight of %s needs no key and names what is allowed",
    async (path) => {
      const answer = await it.api(`OPTIONS ${path}`, {
        key: "none",
        headers: { Origin: stranger, "Access-Control-Request-Method": "POST" },
      })
      expect([answer.status, answer.body]).toEqual([200, undefined])
      expect(answer.headers.get("access-control-allow-origin")).toBe("*")
      expect(answer.headers.has("access-control-allow-credentials")).toBe(false)
      expect(list(answer, "access-control-allow-methods")).toEqual(["delete", "get", "options", "post", "put"])
      expect(list(answer, "access-control-allow-headers")).toEqual([
        "authorization",
        "content-type",
        "idempotency-key",
        "x-request-id",
      ])
    },
  )

  test.each([
    ["accepted", "pk", { email: "a@example.com", event: "e" }, 200],
    ["refused", "pk", {}, 422],
    ["without a key", "none", {}, 401],
  ])(
    "an answer of /v1 that is %s is open to every page, with the headers that scripts need",
    async (_, key, body, status) => {
      const answer = await it.api("POST /v1/track", { key, body, headers: { Origin: stranger } })
      expect(answer.status).toBe(status)
      expect(answer.headers.get("access-control-allow-origin")).toBe("*")
      expect(answer.headers.has("access-control-allow-credentials")).toBe(false)
      expect(list(answer, "access-control-expose-headers")).toEqual([
        "ratelimit-limit",
        "ratelimit-remaining",
        "ratelimit-reset",
        "retry-after",
        "x-request-id",
      ])
    },
  )

  test.each(["GET /emails", "GET /nowhere", "GET /health"])(
    "%s is closed to origins that are not configured",
    async (route) => {
      for (const headers of [
        {},
        { Origin: stranger },
        { Origin: "null" },
        { Origin: `${friend}.evil.test` },
        { Origin: friend.toUpperCase() },
      ])
        expect(corsHeadersOf(await it.api(route, { headers }))).toEqual([])
    },
  )

  test("a preflight outside /v1 from an unknown origin is 404", async () => {
    const answer = await it.api("OPTIONS /emails", {
      key: "none",
      headers: { Origin: stranger, "Access-Control-Request-Method": "GET" },
    })
    expect([answer.status, answer.body.error.code, corsHeadersOf(answer)]).toEqual([404, "RESOURCE_NOT_FOUND", []])
  })

  test.each(["GET /emails", "GET /emails/x", "OPTIONS /emails"])(
    "%s is open to a configured origin, with credentials",
    async (route) => {
      const answer = await it.api(route, { headers: { Origin: friend } })
      expect(answer.status).toBe(route === "GET /emails/x" ? 404 : 200)
      expect(answer.headers.get("access-control-allow-origin")).toBe(friend)
      expect(answer.headers.get("access-control-allow-credentials")).toBe("true")
      expect(answer.headers.get("vary")?.toLowerCase()).toContain("origin")
    },
  )

  test("a configured origin changes things with a key, and only reads with a session (contract A1.5.3)", async () => {
    const browser = await signUp(it, "owner@acme.test")
    const headers = { Origin: friend, "Sec-Fetch-Site": "same-site", "X-Project-Id": it.project.id }
    const read = await browser.api("GET /emails", { headers })
    const change = await browser.api("POST /contacts", { headers, body: { email: "new@example.com" } })
    const withKey = await it.api("POST /contacts", { headers, body: { email: "new@example.com" } })
    expect([read.status, change.status, withKey.status]).toEqual([200, 403, 201])
  })
})
