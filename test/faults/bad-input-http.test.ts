import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { connect } from "node:net"
import type { ApiCall } from "../harness/api.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { countEffects, fieldsOf, gained } from "../harness/scenarios.ts"

const MB = 1_048_576
const json = { "Content-Type": "application/json" }
const nothing = { events: {}, mails: 0, contacts: 0 }
const mail = { to: "ada@example.com", from: "hi@acme.test", subject: "Hi", body: "<p>Hi</p>" }
const track = { email: "ada@example.com", event: "signup" }

let it: TestApp
let origin: string
beforeAll(async () => {
  it = await startTestApp({ settings: { "limits.requests_per_minute": "0" } })
  origin = (await it.app.start()).url
})
afterAll(() => it.close())

/** Expects a refusal without effect on store and log, and with little memory. */
async function refuses(status: number, code: string, route: string, call: ApiCall) {
  const before = await countEffects(it)
  const rss = process.memoryUsage().rss
  const answer = await it.api(route, call)
  expect([answer.status, answer.body.error.code]).toEqual([status, code])
  expect(answer.body).toMatchObject({ success: false, error: { statusCode: status } })
  expect(gained(before, await countEffects(it))).toEqual(nothing)
  expect(it.complaints).toEqual([])
  expect(process.memoryUsage().rss - rss).toBeLessThan(200 * MB)
  return answer
}

const invalid = async (route: string, call: ApiCall) => fieldsOf(await refuses(422, "VALIDATION_ERROR", route, call))

/** A body with one field written by hand, which then stands for every other of its name. */
const withField = (body: object, name: string, value: string): string =>
  `${JSON.stringify(body).slice(0, -1)},${JSON.stringify(name)}:${value}}`

describe("Bytes that are not a JSON object", () => {
  const bodies: [name: string, raw: string | Uint8Array<ArrayBuffer>][] = [
    ["half an object", '{"email":"ada@example.com","event":'],
    ["half a string", '{"email":"ada@exam'],
    ["two objects", `${JSON.stringify(track)}${JSON.stringify(track)}`],
    ["a bare NUL", "\0"],
    ["NUL after the object", `${JSON.stringify(track)}\0`],
    ["a raw line break in a string", '{"email":"ada@example.com","event":"a\nb"}'],
    ["a truncated character", Buffer.from([...Buffer.from('{"email":"ada@example.com","event":"'), 0xe2, 0x82])],
    ["an overlong NUL", Buffer.from([...Buffer.from('{"event":"'), 0xc0, 0x80, ...Buffer.from('"}')])],
    ["a surrogate in UTF-8", Buffer.from([...Buffer.from('{"event":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')])],
    ["UTF-16", Buffer.from(JSON.stringify(track), "utf16le")],
    ["gzip", Bun.gzipSync(JSON.stringify(track))],
    ["100,000 unclosed arrays", "[".repeat(100_000)],
    ["100,000 unclosed objects", '{"a":'.repeat(100_000)],
  ]
  for (const route of ["POST /v1/track", "POST /v1/send", "POST /contacts", "POST /contacts/lookup", "POST /templates"])
    test.each(bodies)(`${route} refuses %s`, async (_, raw) => {
      await refuses(400, "BAD_REQUEST", route, { raw, headers: json })
    })

  test.each(["gzip", "br", "deflate, gzip"])(
    "a body in the encoding %s is refused, also when it is plain JSON",
    async (encoding) => {
      const headers = { ...json, "Content-Encoding": encoding }
      for (const raw of [JSON.stringify(track), Bun.gzipSync(JSON.stringify(track))])
        await refuses(400, "BAD_REQUEST", "POST /v1/track", { raw, headers })
    },
  )

  test("a body without encoding may say so", async () => {
    const headers = { ...json, "Content-Encoding": "identity" }
    expect((await it.api("POST /v1/track", { raw: JSON.stringify(track), headers })).status).toBe(200)
  })

  test.each(["text/plain", "application/xml", "multipart/form-data; boundary=x", "application/json5", "json", ","])(
    "the content type %s is refused, also before a body that is JSON",
    async (type) => {
      for (const route of ["POST /v1/track", "POST /v1/send", "POST /contacts"])
        await refuses(400, "BAD_REQUEST", route, { raw: JSON.stringify(mail), headers: { "Content-Type": type } })
    },
  )
})

describe("100,000 levels", () => {
  const arrays = "[".repeat(100_000) + "]".repeat(100_000)
  const objects = `${'{"email":'.repeat(100_000)}1${"}".repeat(100_000)}`

  test("that are the body are refused by their type or their fields", async () => {
    expect(await invalid("POST /v1/track", { raw: arrays, headers: json })).toEqual({ "": "invalid_type" })
    const fields = { email: "invalid_type", event: "required" }
    expect(await invalid("POST /v1/track", { raw: objects, headers: json })).toEqual(fields)
  })

  test.each([
    ["arrays", arrays],
    ["objects", objects],
  ])("of %s inside data are too many", async (_, deep) => {
    const raw = (body: object) => withField(body, "data", `{"x":${deep}}`)
    for (const [route, body] of [
      ["POST /v1/track", track],
      ["POST /v1/send", mail],
      ["POST /contacts", track],
    ] as const)
      expect(await invalid(route, { raw: raw(body), headers: json })).toEqual({ data: "too_big" })
  })

  test.each([
    ["to", "to.0", "to.email"],
    ["subject", "subject", "subject"],
    ["body", "body", "body"],
    ["from", "from", "from.email"],
    ["reply", "reply", "reply"],
    ["template", "template", "template"],
    ["subscribed", "subscribed", "subscribed"],
    ["headers", "headers", "headers.email"],
    ["attachments", "attachments.0", "attachments"],
  ])("in %s of a mail are a wrong type", async (name, ofArrays, ofObjects) => {
    const send = (value: string) => invalid("POST /v1/send", { raw: withField(mail, name, value), headers: json })
    expect(await send(arrays)).toEqual({ [ofArrays]: "invalid_type" })
    expect(await send(objects)).toEqual({ [ofObjects]: "invalid_type" })
  })

  test.each([
    ["POST /contacts/lookup", "emails", "emails"],
    ["POST /contacts/bulk-delete", "contactIds", "contactIds.0"],
  ])("in the list of %s are a wrong type", async (route, name, field) => {
    expect(await invalid(route, { raw: withField({}, name, arrays).replace("{,", "{"), headers: json })).toEqual({
      [field]: "invalid_type",
    })
  })

  test("in unknown fields are ignored (contract A1.2.3)", async () => {
    for (const deep of [arrays, objects]) {
      const raw = withField(track, "colour", deep)
      expect((await it.api("POST /v1/track", { raw, headers: json })).status).toBe(200)
    }
  })
})

describe("Sizes", () => {
  const secret = () => ({ Authorization: `Bearer ${it.project.secret}`, ...json })

  /** Writes a raw request; resolves to the response once it is complete or the connection closes. */
  function overSocket(head: string, write: (send: (bytes: Uint8Array) => Promise<void>) => Promise<void>) {
    return new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(origin).port), "127.0.0.1")
      let said = ""
      const end = () => {
        socket.destroy()
        resolve(said)
      }
      socket.on("error", end).on("close", end)
      socket.on("data", (bytes) => {
        said += bytes
        if (/"timestamp":"[^"]+"\}/.test(said)) end()
      })
      const send = (bytes: Uint8Array) =>
        new Promise<void>((next) => {
          if (socket.destroyed || socket.write(bytes)) return next()
          socket.once("drain", next)
        })
      socket.on("connect", async () => {
        socket.write(head)
        await write(send)
      })
    })
  }
  const head = (key: string, framing: string) =>
    `POST /v1/send HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`
  const piece = Buffer.alloc(MB, "x")

  test("a body with a declared length of 51 MB is 413", async () => {
    const before = [await countEffects(it), process.memoryUsage().rss] as const
    const answer = await fetch(`${origin}/v1/send`, { method: "POST", headers: secret(), body: "x".repeat(51 * MB) })
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ success: false, error: { code: "PAYLOAD_TOO_LARGE", statusCode: 413 } })
    expect(gained(before[0], await countEffects(it))).toEqual(nothing)
    expect(process.memoryUsage().rss - before[1]).toBeLessThan(300 * MB)
  })

  test("a chunked body is cut off after 50 MB, with 413 or without a response", async () => {
    const before = [await countEffects(it), process.memoryUsage().rss] as const
    const said = await overSocket(head(it.project.secret, "Transfer-Encoding: chunked"), async (send) => {
      await send(Buffer.from('b\r\n{"subject":\r\n'))
      for (let written = 0; written < 51; written++)
        await send(Buffer.concat([Buffer.from("100000\r\n"), piece, Buffer.from("\r\n")]))
      await send(Buffer.from("0\r\n\r\n"))
    })
    if (said !== "") {
      expect(said).toStartWith("HTTP/1.1 413 ")
      expect(said).toContain("PAYLOAD_TOO_LARGE")
    }
    expect(gained(before[0], await countEffects(it))).toEqual(nothing)
    expect(process.memoryUsage().rss - before[1]).toBeLessThan(300 * MB)
  })

  test("without a valid key the response is 401 for any body", async () => {
    for (const raw of ["{", "[".repeat(100_000), "\0", "x".repeat(MB)])
      for (const key of ["none", "pk", "sk_wrong", `sk_${"0".repeat(64)}`, "sk_\u0001"])
        await refuses(401, "INVALID_API_KEY", "POST /v1/send", { key, raw, headers: { "Content-Type": "text/plain" } })
  })

  test("a body is not read for a wrong key", async () => {
    let pulled = 0
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled++
          controller.enqueue(piece)
        },
      },
      { highWaterMark: 0 },
    )
    const headers = { Authorization: "Bearer sk_wrong", ...json }
    const request = new Request("http://localhost/v1/send", { method: "POST", headers, body })
    expect((await it.app.fetch(request, "127.0.0.1")).status).toBe(401)
    expect(pulled).toBe(0)
  })

  test("a wrong key is refused before the body has arrived", async () => {
    const said = await overSocket(head("sk_wrong", "Transfer-Encoding: chunked"), (send) =>
      send(Buffer.from('b\r\n{"subject":\r\n')),
    )
    expect(said).toStartWith("HTTP/1.1 401 ")
    expect(said).toContain("INVALID_API_KEY")
  })
})

describe("Too many of a thing", () => {
  const list = `[${"1,".repeat(300_000)}1]`

  test.each([
    ["POST /v1/send", "to", mail],
    ["POST /v1/send", "attachments", mail],
    ["POST /contacts/bulk-delete", "contactIds", { mode: "ids" }],
  ] as const)(
    "%s refuses a %s of 300,001 wrong items without an answer larger than the body",
    async (route, name, body) => {
      const answer = await refuses(422, "VALIDATION_ERROR", route, { raw: withField(body, name, list), headers: json })
      const fields = Object.keys(fieldsOf(answer))
      expect(fields.length).toBeGreaterThan(1)
      expect(fields.length).toBeLessThanOrEqual(10_000)
      expect(fields.every((field) => field.startsWith(name))).toBe(true)
    },
  )
})

test("afterwards the server still answers, and sends", async () => {
  expect((await fetch(`${origin}/health`)).status).toBe(200)
  const before = await countEffects(it)
  const answer = await it.api("POST /v1/send", { body: mail })
  expect(answer.status).toBe(200)
  expect(gained(before, await countEffects(it)).mails).toBe(1)
  await it.settle()
  expect(it.sent().map(({ to }) => to.address)).toContain("ada@example.com")
})
