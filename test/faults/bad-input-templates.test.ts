import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { workedMs } from "../harness/processor-time.ts"
import { countEffects, fieldsOf, gained } from "../harness/scenarios.ts"

const nothing = { events: {}, mails: 0, contacts: 0 }
const mail = { to: "ada@example.com", from: "hi@acme.test", subject: "Hi", body: "<p>Hi</p>" }
const file = { filename: "a.txt", content: "QQ==", contentType: "text/plain" }
const once = (value: unknown) => ({ value, persistent: false })
const parsed = (text: string): Record<string, unknown> => JSON.parse(text)

let it: TestApp
let people = 0
let passedMs = 0
beforeAll(async () => {
  const overrides = { renderClock: () => performance.now() + passedMs }
  it = await startTestApp({ settings: { "limits.requests_per_minute": "0" }, overrides })
})
afterAll(() => it.close())

/** The validation items of a 422 without effect on store and log. */
async function invalid(route: string, body: object): Promise<Record<string, string>> {
  const before = await countEffects(it)
  const answer = await it.api(route, { body })
  expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"])
  expect(gained(before, await countEffects(it))).toEqual(nothing)
  expect(it.complaints).toEqual([])
  return fieldsOf(answer)
}

/** The stored data of a new contact. */
async function kept(data: object): Promise<Record<string, unknown>> {
  const email = `person${people++}@example.com`
  const tracked = await it.api("POST /v1/track", { body: { email, event: "start", data } })
  expect(tracked.status).toBe(200)
  return (await it.api(`GET /contacts/${tracked.body.data.contact}`)).body.data
}

/** The sent message: its unfolded header lines, and its body. */
async function leaving(more: object): Promise<{ headers: string[]; mime: string }> {
  const count = it.sent().length
  const answer = await it.api("POST /v1/send", { body: { ...mail, ...more } })
  expect(answer.status).toBe(200)
  await it.settle()
  const mime = Buffer.from(it.sent()[count]?.mime() ?? []).toString()
  const [head = ""] = mime.split("\r\n\r\n", 1)
  return { headers: head.replace(/\r\n[ \t]+/g, " ").split("\r\n"), mime }
}

describe("Line breaks and NUL in header values", () => {
  const breaks = ["a\r\nBcc: eve@example.com", "a\nb", "a\rb", "a\0b", "\r\n\r\nbody", "a\r\n", "\n"]
  const places: [field: string, withText: (text: string) => object][] = [
    ["subject", (subject) => ({ subject })],
    ["from.name", (name) => ({ from: { name, email: "hi@acme.test" } })],
    ["from.email", (text) => ({ from: { email: `a${text}@acme.test` } })],
    ["name", (name) => ({ name })],
    ["to.name", (name) => ({ to: { name, email: "ada@example.com" } })],
    ["to.1.name", (name) => ({ to: ["ada@example.com", { name, email: "bo@example.com" }] })],
    ["to.email", (text) => ({ to: { email: `a${text}@example.com` } })],
    ["reply", (text) => ({ reply: `a${text}@example.com` })],
    ["headers.X-A", (text) => ({ headers: { "X-A": text } })],
    ["attachments.0.filename", (filename) => ({ attachments: [{ ...file, filename }] })],
    ["attachments.0.contentType", (text) => ({ attachments: [{ ...file, contentType: `text/plain${text}` }] })],
    ["attachments.0.contentType", (text) => ({ attachments: [{ ...file, contentType: `text/plain; name=${text}` }] })],
    ["attachments.0.contentId", (contentId) => ({ attachments: [{ ...file, contentId, disposition: "inline" }] })],
  ]
  for (const [field, withText] of places)
    test.each(breaks)(`${field} refuses %j`, async (text) => {
      expect(await invalid("POST /v1/send", { ...mail, ...withText(text) })).toEqual({ [field]: "invalid_string" })
    })

  test.each(breaks)("the name of a header refuses %j", async (text) => {
    const headers = { [`X-${text}`]: "1" }
    expect(await invalid("POST /v1/send", { ...mail, headers })).toEqual({ [`headers.X-${text}`]: "invalid_string" })
  })

  test.each(breaks)("a template refuses %j in what becomes a header", async (text) => {
    const template = { name: "T", subject: "S", body: "B", from: "hi@acme.test" }
    const faulty = { subject: `s${text}t`, fromName: text, replyTo: `a${text}@example.com` }
    expect(await invalid("POST /templates", { ...template, ...faulty })).toEqual({
      subject: "invalid_string",
      fromName: "invalid_string",
      replyTo: "invalid_string",
    })
  })

  test.each(breaks.slice(0, 5))("a value that is %j ends in the subject as one line", async (text) => {
    const { headers, mime } = await leaving({ subject: "Dear {{x}}!{{{x}}}{{y ?? z}}", data: { x: once(text) } })
    expect(headers.filter((line) => /^subject:/i.test(line))).toHaveLength(1)
    expect(headers.filter((line) => /^bcc:/i.test(line))).toEqual([])
    expect(headers.every((line) => /^[!-9;-~]+: ?[\x20-\x7e\t]*$/.test(line))).toBe(true)
    expect(mime).not.toContain("\0")
    expect(it.sent().at(-1)?.subject).not.toMatch(/[\r\n\0]/)
  })

  test("a subject of nothing but line breaks leaves empty", async () => {
    const { headers } = await leaving({ subject: "{{x}}", data: { x: once("\r\n\r\n") } })
    expect(headers.filter((line) => /^subject:/i.test(line)).map((line) => line.trim())).toEqual(["Subject:"])
  })
})

describe("Names of prototypes", () => {
  test("are custom fields like any other, but for __proto__ (contract A2.1.4)", async () => {
    const inner = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":"x"}'
    const sent = parsed(
      `{"__proto__":{"polluted":1},"constructor":"c","toString":1,"hasOwnProperty":true,"in":${inner}}`,
    )
    const own = await kept(sent)
    expect(Object.keys(own).sort()).toEqual(["constructor", "hasOwnProperty", "in", "toString"])
    expect(JSON.stringify(own.in)).toBe(inner)
    expect([own.constructor, own.toString, own.hasOwnProperty]).toEqual(["c", 1, true] as unknown[] as never)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test("as request-only values, and in every object of a mail, reach no prototype", async () => {
    const hostile = parsed(
      '{"__proto__":{"email":"eve@example.com","polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    )
    const { mime } = await leaving({
      to: { ...parsed('{"__proto__":{"name":"Eve"}}'), email: "ada@example.com" },
      body: "[{{polluted}}{{constructor.prototype.polluted}}{{x.polluted}}{{y.__proto__}}{{toString}}]",
      data: { x: once(hostile), y: once({}), constructor: once(1) },
      colour: hostile,
    })
    expect(mime.match(/\[.*\]/g)).toEqual(["[]", "[]"])
    expect(mime).not.toContain("Eve")
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test("do not satisfy required fields", async () => {
    for (const body of ['{"__proto__":{"email":"a@example.com","event":"e"}}', '{"constructor":{"email":"a"}}'])
      expect(await invalid("POST /v1/track", parsed(body))).toEqual({ email: "required", event: "required" })
  })
})

describe("Large data", () => {
  test("nine hundred keys are stored, in addition to those of other tests (contract A9.14)", async () => {
    const data = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`k${at}`, at]))
    const { status, body } = await it.api("POST /contacts", { body: { email: `much${people++}@example.com`, data } })
    expect([status, body.data]).toEqual([201, data])
  })

  test.each([
    ["1 MB in one string", { x: "x".repeat(1_048_000) }],
    ["1 MB in many", Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`k${at}`, "x".repeat(1_024)]))],
    ["a key of 1 MB", { ["k".repeat(1_048_000)]: 1 }],
    ["256 KB in characters of two bytes", { x: "é".repeat(131_072) }],
  ])("%s is too big", async (_, data) => {
    for (const [route, body] of [
      ["POST /v1/track", { email: "big@example.com", event: "e" }],
      ["POST /v1/send", mail],
      ["POST /contacts", { email: "big@example.com" }],
    ] as const)
      expect(await invalid(route, { ...body, data })).toEqual({ data: "too_big" })
  })

  test("an event name, an address and a subject of 1 MB are refused", async () => {
    const long = "x".repeat(1_048_576)
    const half = "x".repeat(500_000)
    const faults = await invalid("POST /v1/track", { email: `${half}@example.com`, event: half })
    expect(faults).toEqual({ email: "invalid_string", event: "too_big" })
    expect(await invalid("POST /v1/send", { ...mail, subject: long, reply: long, headers: { "X-A": long } })).toEqual({
      subject: "too_big",
      reply: "invalid_string",
      "headers.X-A": "too_big",
    })
  })
})

describe("Templates that are too much", () => {
  // Each has the whole allowance of slow renderings (contract A3.6).
  beforeEach(() => {
    passedMs += 10_000
  })

  const items = once(Array.from({ length: 20_000 }, (_, at) => at))
  const wide = once("x".repeat(20_000))
  const each = (times: number, inner: string) =>
    `${"{{#each @root.a}}".repeat(times)}${inner}${"{{/each}}".repeat(times)}`

  test.each([
    ["loops in loops", { body: each(3, ""), data: { a: items } }],
    ["loops in loops that print", { body: each(3, "x"), data: { a: items } }],
    ["loops in loops of a helper", { body: each(4, "{{upper @root.s}}"), data: { a: items, s: wide } }],
    ["an output over 10 MB", { body: each(1, "{{{@root.s}}}"), data: { a: items, s: wide } }],
    ["an output over 10 MB once escaped", { body: "{{{s}}}{{s}}".repeat(400), data: { s: once("&".repeat(20_000)) } }],
  ])("%s end within the limit of time", async (_, more) => {
    const startedAt = workedMs()
    expect(await invalid("POST /v1/send", { ...mail, ...more })).toEqual({ body: "custom" })
    expect(workedMs() - startedAt).toBeLessThan(4_000)
  })

  test("a body that is refused for one recipient is refused for two", async () => {
    const to = ["one@example.com", "two@example.com"]
    const slow = { body: each(4, "x"), data: { a: items } }
    expect(await invalid("POST /v1/send", { ...mail, ...slow, to })).toEqual({ body: "custom" })
  })

  test("a fault of a looping subject names the subject", async () => {
    expect(await invalid("POST /v1/send", { ...mail, subject: each(4, "x"), data: { a: items } })).toEqual({
      subject: "custom",
    })
  })

  test.each([
    ["100,000 blocks in each other", "{{#if a}}".repeat(100_000) + "{{/if}}".repeat(100_000)],
    ["100,000 sub-expressions in each other", `{{upper ${"(upper ".repeat(100_000)}a${")".repeat(100_000)}}}`],
    ["100,000 opening braces", "{{".repeat(100_000)],
    ["100,000 unclosed blocks", "{{#each a}}".repeat(100_000)],
  ])("%s are refused", async (_, body) => {
    expect(await invalid("POST /v1/send", { ...mail, body })).toEqual({ body: "custom" })
    const template = { name: "T", subject: "S", from: "hi@acme.test", body }
    expect(await invalid("POST /templates", template)).toEqual({ body: "custom" })
  })

  test("unknown helpers are reported with line and column, on sending and on saving", async () => {
    const body = "<p>\n  {{shout name}}</p>"
    for (const [route, more] of [
      ["POST /v1/send", mail],
      ["POST /templates", { ...mail, name: "T" }],
    ] as const) {
      const { status, body: answer } = await it.api(route, { body: { ...more, body } })
      expect([status, answer.error.details]).toEqual([422, { field: "body", line: 2, column: 3 }])
    }
  })

  test.each(["x", "é", "💌"])("2,000,001 times %s is too big a body", async (character) => {
    const body = character.repeat(2_000_001)
    expect(await invalid("POST /v1/send", { ...mail, body })).toEqual({ body: "too_big" })
    expect(await invalid("POST /templates", { ...mail, name: "T", body })).toEqual({ body: "too_big" })
  })
})

test("afterwards mail is still sent", async () => {
  expect((await it.api("GET /health", { key: "none" })).body.status).toBe("ok")
  const { mime } = await leaving({ body: "<p>Still here</p>" })
  expect(mime).toContain("Still here")
})
