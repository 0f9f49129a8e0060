import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test"
import { simpleParser } from "mailparser"
import { contactTable } from "../../src/modules/contacts/index.ts"
import { emailTable } from "../../src/modules/emails/index.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"

let it: TestApp
let url: string

beforeAll(async () => {
  it = await startTestApp({ settings: { "limits.requests_per_minute": "0" } })
  url = (await it.app.start()).url
})
afterAll(() => it.close())

const stored = async () => ({
  contacts: (await it.app.store.read.select().from(contactTable)).length,
  emails: (await it.app.store.read.select().from(emailTable)).length,
})

const letter = { to: "ada@example.com", from: "hi@acme.test", subject: "Hi", body: "<p>Hi</p>" }
const event = { email: "ada@example.com", event: "visit" }

/** Sends and expects this refusal, with nothing stored. */
async function refused(
  route: string,
  call: Parameters<TestApp["api"]>[1],
  status: number,
  code: string,
  field?: string,
) {
  const before = await stored()
  const answer = await it.api(route, call)
  const fields = (answer.body.error.errors ?? []).map((item: { field: string }) => item.field)
  expect([answer.status, answer.body.error.code]).toEqual([status, code])
  if (field !== undefined) expect(fields).toContain(field)
  expect(await stored()).toEqual(before)
  return answer
}

/** Whatever came before, the next ordinary request is answered. */
afterEach(async () => {
  expect((await it.api("GET /health", { key: "none" })).status).toBe(200)
})

const json = { "Content-Type": "application/json" }
const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`

describe("a body that is no request", () => {
  test.each([
    ["broken JSON", '{"to":'],
    ["two values", "{} {}"],
    ["a comment", "{/* */}"],
    ["invalid UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ["a lone NUL", "\0"],
  ] as [string, BodyInit][])("is malformed when it is %s", (_, raw) =>
    refused("POST /v1/send", { raw, headers: json }, 400, "BAD_REQUEST"),
  )

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
  ])("is malformed as %s", (type) =>
    refused("POST /v1/track", { raw: JSON.stringify(event), headers: { "Content-Type": type } }, 400, "BAD_REQUEST"),
  )

  test("is refused when it nests without end, wherever it does", async () => {
    const before = await stored()
    for (const raw of [
      nested(100_000),
      `{"data":${nested(100_000)}}`,
      `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`,
    ]) {
      const { status } = await it.api("POST /v1/track", { raw, headers: json })
      expect([400, 422]).toContain(status)
    }
    const deep = `{"email":"ada@example.com","event":"x","data":{"a":${nested(1_000)}}}`
    expect((await it.api("POST /v1/track", { raw: deep, headers: json })).body.error.errors[0]).toMatchObject({
      field: "data",
      code: "too_big",
    })
    expect(await stored()).toEqual(before)
  })

  test("is too large when it says so, and when it only turns out so, and memory stays bounded", async () => {
    const before = process.memoryUsage().rss
    const headers = { ...json, Authorization: `Bearer ${it.project.secret}` }
    const declared = await fetch(`${url}/v1/send`, {
      method: "POST",
      headers,
      body: new Uint8Array(51 * 1_048_576).fill(32),
    })
    expect([declared.status, ((await declared.json()) as { error: { code: string } }).error.code]).toEqual([
      413,
      "PAYLOAD_TOO_LARGE",
    ])
    const megabyte = new Uint8Array(1_048_576).fill(32)
    let pulled = 0
    const endless = new ReadableStream({
      pull(controller) {
        if (pulled++ > 200) controller.close()
        else controller.enqueue(megabyte)
      },
    })
    const outcome = await fetch(`${url}/v1/send`, { method: "POST", headers, body: endless }).then(
      ({ status }) => status,
      () => "cut off",
    )
    expect([413, "cut off"]).toContain(outcome)
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1_048_576)
  })

  test("is not looked at when the key is wrong", () =>
    refused("POST /v1/send", { key: `sk_${"0".repeat(64)}`, raw: '{"to":', headers: json }, 401, "INVALID_API_KEY"))
})

describe("a line break where a header would be", () => {
  const file = { filename: "a.txt", content: "YQ==", contentType: "text/plain" }
  test.each([
    ["subject", { subject: "a\r\nBcc: x@y.co" }, "subject"],
    ["name of the sender", { from: { name: "a\nb", email: "hi@acme.test" } }, "from.name"],
    ["old name of the sender", { name: "a\rb" }, "name"],
    ["name of the recipient", { to: { name: "a\nb", email: "ada@example.com" } }, "to.name"],
    ["reply address", { reply: "a@b.co\r\nBcc: x@y.co" }, "reply"],
    ["header name", { headers: { "X-A\r\nBcc": "1" } }, "headers.X-A\r\nBcc"],
    ["header value", { headers: { "X-A": "1\r\nBcc: x@y.co" } }, "headers.X-A"],
    ["file name", { attachments: [{ ...file, filename: "a\r\nb" }] }, "attachments.0.filename"],
    ["content type", { attachments: [{ ...file, contentType: "text/plain\r\nX: 1" }] }, "attachments.0.contentType"],
    ["content id", { attachments: [{ ...file, contentId: "a\nb" }] }, "attachments.0.contentId"],
  ])("is refused in the %s", (_, change, field) =>
    refused("POST /v1/send", { body: { ...letter, ...change } }, 422, "VALIDATION_ERROR", field),
  )

  test("that comes by a variable ends as a space in the message", async () => {
    const data = { evil: "a\r\nBcc: thief@example.com\0" }
    expect((await it.api("POST /v1/send", { body: { ...letter, subject: "Hi {{evil}}", data } })).status).toBe(200)
    await it.settle()
    const mime = Buffer.from(it.sent().at(-1)?.mime() ?? [])
    const parsed = await simpleParser(mime)
    expect([parsed.subject, parsed.bcc]).toEqual(["Hi a Bcc: thief@example.com", undefined])
  })
})

describe("data with an ill will", () => {
  test("cannot reach a prototype", async () => {
    const raw =
      '{"email":"eve@example.com","event":"x","data":{"__proto__":{"polluted":1},"constructor":"c","toString":"t","deep":{"__proto__":{"polluted":2}}}}'
    const { status, body } = await it.api("POST /v1/track", { raw, headers: json })
    expect(status).toBe(200)
    const { body: contact } = await it.api(`GET /contacts/${body.data.contact}`)
    expect(Object.keys(contact.data).sort()).toEqual(["constructor", "deep", "toString"])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test("may have ten thousand keys as long as they are small", async () => {
    const data = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, n]))
    expect((await it.api("POST /v1/track", { body: { ...event, data } })).status).toBe(200)
  })

  test.each([
    ["a string of a megabyte", { big: "x".repeat(1_048_576) }],
    ["a key of 256 characters", { ["k".repeat(256)]: 1 }],
    ["an empty key", { "": 1 }],
  ])("is too big with %s", (_, data) =>
    refused("POST /v1/track", { body: { ...event, data } }, 422, "VALIDATION_ERROR", "data"),
  )
})

describe("a template with an ill will", () => {
  const rows = Array.from({ length: 2_000 }, (_, n) => n)
  const looping = "{{#each a}}{{#each ../a}}{{#each ../../a}}{{/each}}{{/each}}{{/each}}"
  const growing = "{{#each a}}{{#each ../a}}0123456789{{/each}}{{/each}}"

  test.each([
    ["that would loop for hours", looping],
    ["that would grow to 40 MB", growing],
  ])("is stopped: one %s", (_, body) =>
    refused("POST /v1/send", { body: { ...letter, body, data: { a: rows } } }, 422, "VALIDATION_ERROR", "body"),
  )

  test("is refused where it names a helper that is none, with the place", async () => {
    const { body } = await refused(
      "POST /v1/send",
      { body: { ...letter, body: "<p>\n  {{exec 'rm'}}" } },
      422,
      "VALIDATION_ERROR",
      "body",
    )
    expect(body.error.details).toMatchObject({ field: "body", line: 2 })
  })

  test("is too big beyond two million characters", () =>
    refused("POST /v1/send", { body: { ...letter, body: "x".repeat(2_000_001) } }, 422, "VALIDATION_ERROR", "body"))
})
