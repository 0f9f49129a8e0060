import { afterAll, beforeAll, expect, test } from "bun:test"
import { type Browser, newBrowser, password, signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { operationsOf, readDocument } from "../harness/openapi.ts"

let it: TestApp
let owner: Browser

beforeAll(async () => {
  it = await startTestApp()
  owner = await signUp(it, "owner@acme.test")
})
afterAll(() => it.close())

/** What is the same for everybody, and may be asked for again only when it has changed. */
const forEverybody = ["GET /openapi.json", "GET /docs"]
/** What ends something when its owner asks for it: tried by nobody in particular. */
const ending = /(?:regenerate-keys|reset|leave|logout|DELETE \/users\/@me\/projects\/\{id\})$/

test("No cache keeps what an operation of the document answers, be it shown or refused", async () => {
  const document = readDocument((await it.api("GET /openapi.json", { key: "none" })).body)
  const routes = operationsOf(document)
    .map(({ route }) => route)
    .filter((route) => !forEverybody.includes(route))
  expect(routes.length).toBeGreaterThan(60)
  const seen = new Set<number>()
  for (const route of routes)
    for (const browser of ending.test(route) ? [newBrowser(it)] : [owner, newBrowser(it)]) {
      const body = /^(?:GET|DELETE)/.test(route) ? {} : { body: [] }
      const { status, headers } = await browser.api(route.replace(/\{\w+\}/g, it.project.id), {
        ...body,
        project: it.project.id,
      })
      expect([route, status, headers.get("cache-control")]).toEqual([route, status, "no-store"])
      seen.add(status)
    }
  expect([...seen]).toEqual(expect.arrayContaining([200, 401, 422]))
})

test.each(["setup", "verify", "reset"])(
  "The page that a link of mail leads to, /app/%s, sends no referrer and is kept by no cache",
  async (page) => {
    const { status, headers } = await it.api(`GET /app/${page}?token=abc`, { key: "none" })
    expect([status, headers.get("referrer-policy"), headers.get("cache-control")]).toEqual([
      200,
      "no-referrer",
      "no-store",
    ])
    const frame = headers.get("content-security-policy") ?? ""
    expect(frame).toContain("frame-ancestors 'none'")
  },
)

test.each(["/app", "/app/sign-in", "/app/settings/keys"])("The page %s sends no referrer", async (path) => {
  const { headers } = await it.api(`GET ${path}`, { key: "none" })
  expect(headers.get("referrer-policy")).toBe("no-referrer")
})

test("No list shows the token of a session, a password or its hash", async () => {
  const session = owner.cookies.get("mailstead_session") ?? "none"
  const lists = ["GET /auth/sessions", "GET /users/@me", "GET /users/@me/projects", "GET /instance/audit"]
  for (const route of lists) {
    const text = JSON.stringify((await owner.api(route)).body)
    for (const secret of [session, session.split(".")[2] ?? "none", password, "$argon2"])
      expect([route, text.includes(secret)]).toEqual([route, false])
  }
})
