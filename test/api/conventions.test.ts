import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { scenarios } from "../harness/scenarios.ts"

const json = "application/json"
const latin = Uint8Array.from([...Buffer.from('{"email":"a@example.com","event":"caf'), 0xe9, ...Buffer.from('"}')])
const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
const signup = (email: string) => JSON.stringify({ email, event: "signup" })
const stored = { status: 200, events: { signup: 1 }, contacts: 1 }

scenarios("POST /v1/track: the body (contract A1.2)", [
  { name: "is JSON", raw: signup("a@example.com"), headers: { "Content-Type": json }, ...stored },
  {
    name: "may have parameters",
    raw: signup("b@example.com"),
    headers: { "Content-Type": "Application/JSON; charset=utf-8" },
    ...stored,
  },
  { name: "without content type is read as JSON", raw: bytes(signup("c@example.com")), ...stored },
  {
    name: "may begin with a byte order mark",
    raw: `\ufeff${signup("d@example.com")}`,
    headers: { "Content-Type": json },
    ...stored,
  },
  ...[
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json-patch+json",
    "text/json",
  ].map((type) => ({
    name: `is not ${type}`,
    raw: signup("e@example.com"),
    headers: { "Content-Type": type },
    status: 400,
    code: "BAD_REQUEST",
  })),
  ...["{", '{"email":', '{"email":"a@example.com",}', "{'email':1}", "undefined", '{"a":NaN}', '{"a":1}{"b":2}'].map(
    (raw) => ({
      name: `is not ${raw}`,
      raw,
      headers: { "Content-Type": json },
      status: 400,
      code: "BAD_REQUEST",
    }),
  ),
  { name: "is not Latin-1", raw: latin, headers: { "Content-Type": json }, status: 400, code: "BAD_REQUEST" },
  ...["", "  \r\n\t "].map((raw) => ({
    name: `that is ${JSON.stringify(raw)} counts as {}`,
    raw,
    headers: { "Content-Type": json },
    status: 422,
    code: "VALIDATION_ERROR",
    fields: { email: "required", event: "required" },
  })),
  ...["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"].map((type) => ({
    name: `that is empty counts as {}, even as ${type}`,
    raw: "",
    headers: { "Content-Type": type },
    status: 422,
    code: "VALIDATION_ERROR",
    fields: { email: "required", event: "required" },
  })),
  {
    name: "may be missing altogether",
    status: 422,
    code: "VALIDATION_ERROR",
    fields: { email: "required", event: "required" },
  },
  ...[
    ["array", "[]"],
    ["null", "null"],
    ["string", '"a"'],
    ["number", "1"],
    ["boolean", "true"],
  ].map(([received, raw]) => ({
    name: `is no ${received}`,
    raw: raw ?? "",
    headers: { "Content-Type": json },
    status: 422,
    code: "VALIDATION_ERROR",
    fields: { "": "invalid_type" },
    answer: { error: { errors: [{ field: "", code: "invalid_type", received }] } },
  })),
  {
    name: "may have unknown fields",
    body: { email: "f@example.com", event: "signup", colour: "red", nested: { a: [1] }, constructor: "x" },
    ...stored,
  },
  {
    name: "may hold null for an optional field",
    body: { email: "g@example.com", event: "signup", subscribed: null, data: null },
    ...stored,
  },
  {
    name: "may not hold null for a required field",
    body: { email: null, event: null },
    status: 422,
    code: "VALIDATION_ERROR",
    fields: { email: "required", event: "required" },
  },
])

describe("Conventions", () => {
  let it: TestApp
  let id: string
  beforeAll(async () => {
    it = await startTestApp()
    const sent = await it.api("POST /v1/send", {
      body: { to: "a@example.com", from: "hi@acme.test", subject: "Hi", body: "Hi" },
    })
    id = sent.body.data.emails[0].email
  })
  afterAll(() => it.close())

  test("ids are lower case, and compared ignoring case (contract A1.1.1)", async () => {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/)
    expect((await it.api(`GET /emails/${id.toUpperCase()}`)).body.id).toBe(id)
    const { body } = await it.api("POST /v1/track", { body: { email: "a@example.com", event: "e" } })
    expect((await it.api(`GET /contacts/${body.data.contact.toUpperCase()}`)).body.id).toBe(body.data.contact)
  })

  test.each([
    "x",
    "0199c0de",
    "0199c0de-0000-7000-8000-0000000000zz",
    "%20",
    "0199c0de-0000-7000-8000-000000ffffff",
    "%E0%A4%A",
    "%00",
    "%2e%2e%2f",
  ])("the path id %s is 404 (contract A1.1.2)", async (bad) => {
    const contact = await it.api(`GET /contacts/${bad}`)
    expect(contact.status).toBe(404)
    const email = await it.api(`GET /emails/${bad}`)
    expect([email.status, email.body.error.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
  })

  test("a record of another project is not found, never forbidden (contract A1.1.2)", async () => {
    const other = await it.app.projects.create("Other")
    const email = await it.api(`GET /emails/${id}`, { key: other.secret })
    expect([email.status, email.body.error.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
    const { contactId } = (await it.api(`GET /emails/${id}`)).body
    const contact = await it.api(`GET /contacts/${contactId}`, { key: other.secret })
    expect(contact.body.error).toMatchObject({
      code: "CONTACT_NOT_FOUND",
      details: { resource: "Contact", id: contactId },
    })
  })

  test("times are UTC with milliseconds (contract A1.1.3)", async () => {
    const { body } = await it.api("POST /v1/track", { body: { email: "a@example.com", event: "e" } })
    expect(body.data.timestamp).toBe("2026-01-31T09:15:00.000Z")
    expect((await it.api("GET /emails/x")).body.timestamp).toBe("2026-01-31T09:15:00.000Z")
  })

  test.each([
    "GET /",
    "GET /nowhere",
    "GET /v1",
    "POST /v1/nowhere",
    "GET /v1/track",
    "PUT /v1/send",
    "DELETE /v1/track",
    "POST /emails",
    "PATCH /emails/x",
    "POST /health",
    "GET /EMAILS",
    "GET //emails",
    "POST /contacts/x/y/z",
  ])("%s is not found, with any credentials (contract A1.2.5)", async (route) => {
    for (const key of ["none", "sk", "pk", "sk_wrong"]) {
      const answer = await it.api(route, { key })
      expect([key, answer.status, answer.body?.error.code]).toEqual([
        key,
        route === "GET /" ? 302 : 404,
        route === "GET /" ? undefined : "RESOURCE_NOT_FOUND",
      ])
      expect(answer.headers.has("ratelimit-limit")).toBe(false)
    }
  })

  test("a trailing slash is ignored (contract A1.2.5)", async () => {
    for (const route of ["GET /emails/", `GET /emails/${id}/`, "GET /health/", "GET /emails/?limit=1"])
      expect((await it.api(route)).status).toBe(200)
    const body = { email: "slash@example.com", event: "e" }
    expect((await it.api("POST /v1/track/", { key: "pk", body })).status).toBe(200)
  })

  test.each([
    ["GET /v1/send", "This path takes POST, not GET."],
    ["GET /v1/send/", "This path takes POST, not GET."],
    ["PUT /contacts", "This path takes GET, POST, not PUT."],
    ["PUT /contacts/", "This path takes GET, POST, not PUT."],
    ["PUT /contacts/x", "This path takes GET, PATCH, DELETE, not PUT."],
    ["POST /contacts/fields/data.plan/", "This path takes DELETE, not POST."],
    ["GET /nowhere", undefined],
    ["GET /v1/send/%E0%A4%A", undefined],
    ["GET /app/assets/nothing.js", undefined],
  ])("%s is not found, and the methods of a known path are named (contract A1.2.5)", async (route, suggestion) => {
    const { status, body } = await it.api(route, { key: "none" })
    expect([status, body.error.code, body.error.suggestion]).toEqual([404, "RESOURCE_NOT_FOUND", suggestion])
  })

  test("HEAD is GET without a body (contract A1.2.5)", async () => {
    for (const path of ["/emails", `/emails/${id}`, "/health", "/config", "/emails/x", "/v1/track", "/nowhere"]) {
      const [head, get] = [await it.api(`HEAD ${path}`), await it.api(`GET ${path}`)]
      expect([path, head.status, head.body]).toEqual([path, get.status, undefined])
      expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"))
      expect(Number(head.headers.get("content-length"))).toBe(Buffer.byteLength(JSON.stringify(get.body)))
    }
  })

  test("/v1 responses are wrapped, others are not (contract A1.2.7)", async () => {
    const tracked = await it.api("POST /v1/track", { body: { email: "a@example.com", event: "e" } })
    expect(Object.keys(tracked.body)).toEqual(["success", "data"])
    expect((await it.api(`GET /emails/${id}`)).body).toMatchObject({ id, projectId: it.project.id })
  })

  test.each(["a", "Z9._~:@/+=-", "r".repeat(200)])("the request id %s is kept (contract A1.3)", async (given) => {
    const headers = { "X-Request-ID": given }
    for (const [route, status] of [
      ["GET /emails", 200],
      ["GET /nowhere", 404],
      ["OPTIONS /v1/track", 200],
    ] as const) {
      const answer = await it.api(route, { headers })
      expect([answer.status, answer.headers.get("x-request-id")]).toEqual([status, given])
      if (status === 404) expect(answer.body.error.requestId).toBe(given)
    }
  })

  test.each(["", "r".repeat(201), "a b", "a,b", "é", '"'])(
    "the request id %j is replaced by a UUID (contract A1.3)",
    async (given) => {
      const answer = await it.api("GET /emails/x", { headers: { "X-Request-ID": given } })
      expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/)
      expect(answer.body.error.requestId).toBe(answer.headers.get("x-request-id"))
    },
  )

  test("every response has a unique request id (contract A1.3)", async () => {
    const routes = [
      "GET /health",
      "GET /",
      "OPTIONS /v1/send",
      "HEAD /emails",
      "GET /nowhere",
      "GET /emails",
      "POST /v1/send",
    ]
    const seen = await Promise.all(routes.map(async (route) => (await it.api(route)).headers.get("x-request-id")))
    expect(seen).not.toContain(null)
    expect(new Set(seen).size).toBe(routes.length)
  })
})
