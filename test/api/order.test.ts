import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { ApiCall } from "../harness/api.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { addTemplate, countEffects, fieldsOf, gained } from "../harness/scenarios.ts"

const marketing = "0199c0de-0000-7000-9000-000000000001"
const unknown = "0199c0de-0000-7000-9000-00000000ffff"
const json = { "Content-Type": "application/json" }
const oversized = { "Content-Length": String(51 * 1_048_576) }
const mail = { to: "a@example.com", from: "hi@acme.test", subject: "Hi", body: "Hi" }
const limit = 40

/** Each test breaks two rules with adjacent checks; the first of them must answer. */
describe("The order of checks (contract A1.6)", () => {
  let it: TestApp
  beforeAll(async () => {
    it = await startTestApp({ settings: { "limits.requests_per_minute": String(limit) } })
    await addTemplate(it, { id: marketing, type: "MARKETING" })
    await it.api("POST /v1/track", {
      body: { email: "yes@example.com", event: "e" },
      headers: { "Idempotency-Key": "used" },
    })
  })
  afterAll(() => it.close())

  const refuses = async (status: number, code: string, route: string, call: ApiCall) => {
    const before = await countEffects(it)
    const answer = await it.api(route, call)
    expect([answer.status, answer.body.error.code]).toEqual([status, code])
    expect(gained(before, await countEffects(it))).toEqual({ events: {}, mails: 0, contacts: 0 })
    return answer
  }

  test("the route before the credentials", () =>
    refuses(404, "RESOURCE_NOT_FOUND", "POST /v1/nowhere", { key: "none" }))

  test("the credentials before the project's state", async () => {
    await it.app.projects.setDisabled(it.project.id, "MANUAL")
    await refuses(401, "INVALID_API_KEY", "POST /v1/track", { key: "sk", body: {} })
    await refuses(403, "PROJECT_DISABLED", "POST /v1/track", { key: "pk", body: {} })
    await it.app.projects.setDisabled(it.project.id, null)
  })

  test("the project's state before the rate limit, and that before the idempotency key", async () => {
    await it.advance({ minutes: 2 })
    for (let i = 0; i < limit; i++) await it.api("GET /emails")
    await it.app.projects.setDisabled(it.project.id, "MANUAL")
    await refuses(403, "PROJECT_DISABLED", "POST /v1/track", { body: {} })
    await it.app.projects.setDisabled(it.project.id, null)
    for (const key of ["used", ""])
      await refuses(429, "RATE_LIMIT_EXCEEDED", "POST /v1/track", { body: {}, headers: { "Idempotency-Key": key } })
    await it.advance({ minutes: 2 })
  })

  test("the idempotency key before the size", async () => {
    const raw = "{"
    await refuses(422, "VALIDATION_ERROR", "POST /v1/track", {
      raw,
      headers: { ...json, ...oversized, "Idempotency-Key": "" },
    })
    await refuses(409, "IDEMPOTENCY_KEY_REUSED", "POST /v1/track", {
      raw,
      headers: { ...json, ...oversized, "Idempotency-Key": "used" },
    })
  })

  test("the size before the JSON", () =>
    refuses(413, "PAYLOAD_TOO_LARGE", "POST /v1/track", { raw: "{", headers: { ...json, ...oversized } }))

  test("the JSON before the shape", () =>
    refuses(400, "BAD_REQUEST", "POST /v1/track", { raw: '{"email":1', headers: json }))

  test("the whole shape, with all faults, before references", async () => {
    const answer = await refuses(422, "VALIDATION_ERROR", "POST /v1/send", {
      body: {
        ...mail,
        template: unknown,
        to: ["fine@example.com", { email: "no", name: "a\nb" }],
        subject: "a\r\nb",
        reply: "no",
        subscribed: "yes",
        name: 7,
        headers: { "X-Good": "1", "X Bad": "1", "X-Long": "x".repeat(999) },
        attachments: [
          { filename: "a.txt", content: "!", contentType: "text/plain" },
          { content: "QQ==", disposition: "inline" },
        ],
      },
    })
    expect(fieldsOf(answer)).toEqual({
      "to.1.email": "invalid_string",
      "to.1.name": "invalid_string",
      subject: "invalid_string",
      reply: "invalid_string",
      subscribed: "invalid_type",
      name: "invalid_type",
      "headers.X Bad": "invalid_string",
      "headers.X-Long": "too_big",
      "attachments.0.content": "invalid_string",
      "attachments.1.filename": "required",
      "attachments.1.contentType": "required",
      "attachments.1.contentId": "required",
    })
  })

  test.each([
    ["a key that is too long", { ["k".repeat(256)]: 1 }],
    ["too many levels", nested(30)],
  ])("data with %s before references of the body", async (_, data) => {
    const answer = await refuses(422, "VALIDATION_ERROR", "POST /v1/send", {
      body: { ...mail, subject: "", template: unknown, data },
    })
    expect(fieldsOf(answer)).toEqual({ subject: "too_small", data: "too_big" })
  })

  test("references of the body before the sender domain", () =>
    refuses(404, "TEMPLATE_NOT_FOUND", "POST /v1/send", {
      body: { ...mail, template: unknown, from: "hi@other.test" },
    }))

  test("the sender domain before the rules of state", () =>
    refuses(403, "INTERNAL_SERVER_ERROR", "POST /v1/send", {
      body: { ...mail, template: marketing, from: "hi@other.test" },
    }))

  test("the rules of state before the templates", async () => {
    const body = { ...mail, template: marketing, body: "{{#if}}" }
    await refuses(400, "BAD_REQUEST", "POST /v1/send", { body })
    await refuses(400, "BAD_REQUEST", "POST /v1/send", { body: { ...body, to: ["yes@example.com", "no@example.com"] } })
  })

  test("the templates last", async () => {
    const answer = await refuses(422, "VALIDATION_ERROR", "POST /v1/send", {
      body: { ...mail, to: "yes@example.com", template: marketing, body: "{{#if}}" },
    })
    expect(fieldsOf(answer)).toEqual({ body: "custom" })
  })
})

function nested(levels: number): Record<string, unknown> {
  return levels === 1 ? {} : { a: nested(levels - 1) }
}
