import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { connect } from "node:net"
import fc from "fast-check"
import { startTestApp, type TestApp } from "../harness/app.ts"

let it: TestApp
let port: number
beforeAll(async () => {
  it = await startTestApp()
  port = (await it.app.start()).port
})
afterAll(() => it.close())

/** The response to these bytes, until it is complete or the connection closes. */
function say(bytes: Uint8Array | string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes))
    const isHead = typeof bytes === "string" && bytes.startsWith("HEAD ")
    let said = ""
    const end = () => {
      socket.destroy()
      resolve(said)
    }
    // As long as a busy machine may make it wait.
    socket.setTimeout(20_000, end)
    socket.on("error", end).on("close", end)
    socket.on("data", (more) => {
      said += more.toString("latin1")
      const [head = "", body] = said.split("\r\n\r\n")
      const length = /^content-length: (\d+)$/im.exec(head)
      if (body !== undefined && (isHead || !length || body.length >= Number(length[1]))) end()
    })
  })
}

const get = (path: string, ...headers: string[]) => say([`GET ${path} HTTP/1.1`, ...headers, "", ""].join("\r\n"))
const statusOf = (said: string) => Number(said.split(" ", 2)[1])

/** Expects our refusal: the envelope, a request id, and no internal details. */
function expectEnvelope(said: string, status: number) {
  expect(statusOf(said)).toBe(status)
  const [head = "", body = ""] = said.split("\r\n\r\n")
  expect(head.toLowerCase()).toContain("x-request-id: ")
  expect(head.toLowerCase()).toContain("x-content-type-options: nosniff")
  const { success, error } = JSON.parse(body)
  expect([success, error.statusCode]).toEqual([false, status])
}

describe("A request with an invalid Host", () => {
  test.each([
    ["two words", "a b"],
    ["a tab", "a\tb"],
    ["nothing", ""],
    ["a path", "a/b"],
    ["a query", "a?b"],
    ["a fragment", "a#b"],
    ["a user", "ada@b"],
    ["a backslash", "a\\b"],
    ["a quote", 'a"b'],
    ["a list", "a, b"],
    ["a percent sign", "a%41"],
    ["an open bracket", "[::1"],
    ["no address in brackets", "[:::::]"],
    ["a port beyond all", "a:99999"],
    ["an address beyond all", "1.2.3.999"],
  ])("%s, is 400 for any path", async (_, host) => {
    for (const path of ["/zzz/health", "/health", "/app", "/v1/track", "/"])
      expectEnvelope(await get(path, `Host: ${host}`), 400)
  })

  test("because it is not ASCII, is 400", async () => {
    expectEnvelope(await say(Buffer.from("GET /health HTTP/1.1\r\nHost: caf\xe9\r\n\r\n", "latin1")), 400)
  })

  test.each([
    ["other", ["Host: a", "Host: b"]],
    ["same", ["Host: a", "Host: a"]],
  ])("because there are two, of the %s name, is 400", async (_, headers) =>
    expectEnvelope(await get("/health", ...headers), 400),
  )

  test("because there is none, is 400", async () => {
    expect(statusOf(await get("/health"))).toBe(400)
    expectEnvelope(await say("GET /config HTTP/1.0\r\n\r\n"), 400)
    expectEnvelope(await say("GET /health/x HTTP/1.0\r\n\r\n"), 400)
  })

  test("because HTTP/1.0 needs none, gets the health all the same: contract A8.4", async () => {
    for (const path of ["/health", "/health/live", "/health/ready", "/health?from=haproxy"])
      for (const method of ["GET", "HEAD"])
        expect(statusOf(await say(`${method} ${path} HTTP/1.0\r\n\r\n`)), `${method} ${path}`).toBe(200)
  })

  test("gets headers without a body for HEAD", async () => {
    const said = await say("HEAD /health HTTP/1.1\r\nHost: a b\r\n\r\n")
    expect([statusOf(said), said.split("\r\n\r\n")[1]]).toEqual([400, ""])
  })
})

test.each(["a", "a.b", "127.0.0.1", "[::1]", "[::1]:3000", "LOCALHOST", "mail.example.com.", "mail_box:80"])(
  "under the name %s a path is what it says",
  async (host) => {
    for (const [path, status] of [
      ["/health", 200],
      ["/health?x=/y", 200],
      ["/health/", 200],
      ["/zzz/health", 404],
      ["//health", 404],
    ] as const)
      expect([path, statusOf(await get(path, `Host: ${host}`))]).toEqual([path, status])
    expect([host, statusOf(await get("http://evil.test/health", `Host: ${host}`))]).toEqual([host, 200])
  },
)

describe("Any bytes as", () => {
  /** Bytes other than line ends, with more frequent special characters. */
  const bytes = fc
    .array(fc.oneof(fc.constantFrom(..."/:?#[]@%. ,;=\\\"'~\t\0\x7f\xff"), fc.string({ minLength: 1, maxLength: 8 })), {
      maxLength: 12,
    })
    .map((parts) => parts.join("").replaceAll(/[\r\n]/g, ""))

  /**
   * Expects a response of a route, the envelope, or the short refusal of the HTTP parser, never an error page with
   * sources.
   */
  function expectOwnAnswer(said: string): void {
    expect(said).not.toContain(".ts")
    const [head = "", body = ""] = said.split("\r\n\r\n")
    expect(statusOf(head)).not.toBe(500)
    if (body.startsWith("{")) expect(Object.keys(JSON.parse(body)).length).toBeGreaterThan(0)
    else expect(body.length === 0 || statusOf(head) < 400).toBe(true)
  }

  test.each([
    ["Host", (text: string) => `GET /health HTTP/1.1\r\nHost: ${text}\r\n\r\n`],
    ["a path", (text: string) => `GET /${text} HTTP/1.1\r\nHost: localhost\r\n\r\n`],
    [
      "a cookie",
      (text: string) => `GET /users/@me HTTP/1.1\r\nHost: localhost\r\nCookie: mailstead_session=${text}\r\n\r\n`,
    ],
    [
      "a whole cookie header",
      (text: string) => `GET /users/@me HTTP/1.1\r\nHost: localhost\r\nCookie: ${text}\r\n\r\n`,
    ],
    ["a method", (text: string) => `${text} /health HTTP/1.1\r\nHost: localhost\r\n\r\n`],
  ])("%s, the response is ours", async (_, request) => {
    await fc.assert(
      fc.asyncProperty(bytes, async (text) => expectOwnAnswer(await say(Buffer.from(request(text), "latin1")))),
      { numRuns: 150, seed: 9 },
    )
    expect(it.complaints).toEqual([])
  })
})
