import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"

let it: TestApp
let plain: TestApp
const settings = { "smtp.submission_port": "0" }
beforeAll(async () => {
  it = await startTestApp({
    mode: "sandbox",
    settings: {
      ...settings,
      "http.base_url": "https://mail.acme.test",
      "http.cors_origins": "https://app.acme.test",
      "sandbox.hosts": "box.example.com other.example.com",
    },
  })
  await it.app.projects.create("Built in", { keys: { public: "pk_sandbox", secret: "sk_sandbox" } })
  plain = await startTestApp()
})
afterAll(async () => {
  await it.close()
  await plain.close()
})

const health = async (Host: string, app = it) =>
  (await app.api("GET /health", { key: "none", headers: { Host } })).status

describe("The sandbox, against DNS rebinding,", () => {
  test.each([
    "localhost",
    "localhost:3000",
    "LocalHost",
    "localhost.",
    "127.0.0.1:3000",
    "127.8.9.10",
    "[::1]:3000",
    "192.168.1.7",
    "203.0.113.9:80",
    "[2001:db8::7]",
    "sandbox",
    "mail_box:3000",
    "app.localhost",
    "sandbox.docker.internal",
    "laptop.local",
    "mail.acme.test",
    "box.example.com",
    "BOX.example.com.",
    "other.example.com:8080",
  ])("answers to %s", async (host) => expect(await health(host)).toBe(200))

  test.each([
    "evil.test",
    "evil.test:3000",
    "localhost.evil.test",
    "evil-localhost.test",
    "127.0.0.1.evil.test",
    "0x7f.1",
    "acme.test",
    "sub.box.example.com",
    "evil.test.",
    "internal.evil.test",
    "notlocal.test",
  ])("does not answer to %s, on any path", async (Host) => {
    for (const route of [
      "GET /health",
      "GET /emails",
      "GET /app",
      "GET /docs",
      "POST /v1/track",
      "GET /t/x",
      "OPTIONS /v1/send",
    ]) {
      const { status, body, headers } = await it.api(route, { key: "sk_sandbox", headers: { Host } })
      expect([route, status, body.error.code]).toEqual([route, 403, "FORBIDDEN"])
      expect(headers.get("set-cookie")).toBeNull()
    }
  })

  test("does not apply to a server", async () => {
    expect(await health("evil.test", plain)).toBe(200)
  })
})

describe("The sandbox's own keys, against pages of other sites,", () => {
  const send = async (key: string, Origin: string, Host = "localhost:3000") =>
    (
      await it.api("POST /v1/track", {
        key,
        body: { email: "ada@example.com", event: "visit" },
        headers: { Origin, Host },
      })
    ).status

  test.each([
    "http://localhost:5173",
    "http://127.0.0.1:8080",
    "http://[::1]:8080",
    "http://shop.localhost",
    "https://mail.acme.test",
    "https://app.acme.test",
    "http://box.example.com",
  ])("work from %s", async (origin) => expect(await send("pk_sandbox", origin)).toBe(200))

  test("work from another port of the sandbox's host", async () => {
    expect(await send("pk_sandbox", "http://sandbox:5173", "sandbox:3000")).toBe(200)
  })

  test.each([
    "https://evil.test",
    "http://localhost.evil.test",
    "http://203.0.113.9",
    "http://laptop.local",
    "null",
    "file://",
    "x",
  ])("do not work from %s", async (origin) => {
    expect(await send("pk_sandbox", origin)).toBe(403)
    const { status } = await it.api("GET /emails", { key: "sk_sandbox", headers: { Origin: origin } })
    expect(status).toBe(403)
  })

  test("and the page can read why (contract A1.11.1)", async () => {
    const { status, body, headers } = await it.api("POST /v1/track", {
      key: "pk_sandbox",
      headers: { Origin: "https://evil.test" },
    })
    expect([status, headers.get("access-control-allow-origin")]).toEqual([403, "*"])
    expect(body.error.message).toContain("http.cors_origins")
  })

  test("are the only restricted ones: a generated key may be used from any origin (contract A1.11)", async () => {
    const { publicKey } = await it.app.projects.create("Shop")
    expect(await send(publicKey, "https://evil.test")).toBe(200)
  })
})

describe("The sandbox signs in the visitor of its page", () => {
  const cookieFor = async (headers: Record<string, string>, address = "127.0.0.1") => {
    const request = new Request("http://localhost:3000/app", { headers: { Host: "localhost:3000", ...headers } })
    return (await it.app.fetch(request, address)).headers.get("set-cookie")
  }

  test.each<[string, Record<string, string>]>([
    ["who opens it", { "Sec-Fetch-Mode": "navigate" }],
    ["whose program says nothing of it (contract A8.3.6)", {}],
    ["by its address", { Host: "127.0.0.1:3000" }],
  ])("%s", async (_, headers) => expect(await cookieFor(headers)).toContain("mailstead_session="))

  test.each<[string, Record<string, string>]>([
    ["of a script", { "Sec-Fetch-Mode": "cors" }],
    ["of an image", { "Sec-Fetch-Mode": "no-cors" }],
    ["of a script in a browser without fetch metadata", { Origin: "https://evil.test" }],
    ["passed on with Forwarded", { Forwarded: "for=203.0.113.9" }],
    ["passed on with X-Forwarded-For", { "X-Forwarded-For": "203.0.113.9" }],
    ["passed on with X-Forwarded-Proto", { "X-Forwarded-Proto": "https" }],
    ["passed on with X-Real-IP", { "X-Real-IP": "203.0.113.9" }],
    ["passed on with Via", { Via: "1.1 proxy" }],
    ["by another name", { Host: "sandbox:3000" }],
    ["by a name of loopback", { Host: "app.localhost:3000" }],
  ])("but not for a request %s", async (_, headers) => expect(await cookieFor(headers)).toBeNull())

  test("but not from another machine", async () => {
    expect(await cookieFor({}, "192.168.1.7")).toBeNull()
  })
})
