import { Database } from "bun:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { cookieOf, signUp } from "../harness/accounts.ts"
import type { ApiCall } from "../harness/api.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"

describe("A session with its project (contract A1.5)", () => {
  let it: TestApp
  let cookie: string
  let origin: string

  beforeAll(async () => {
    it = await startTestApp({ mode: "sandbox", settings: { "limits.requests_per_minute": "20" } })
    const page = await it.api("GET /app", { key: "none", headers: { Host: "localhost:3000" } })
    cookie = /^[^;]+/.exec(page.headers.get("set-cookie") ?? "")?.[0] ?? ""
    origin = new URL((await it.api("GET /config")).body.urls.api).origin
  })
  afterAll(() => it.close())

  const call = (route: string, headers: Record<string, string>, more: ApiCall = {}) =>
    it.api(route, { key: "none", ...more, headers: { Cookie: cookie, ...headers } })
  const project = () => ({ "X-Project-Id": it.project.id })
  const outcome = async (route: string, headers: Record<string, string>, more?: ApiCall) => {
    const { status, body } = await call(route, headers, more)
    return [status, body?.error?.code]
  }

  test.each(["/emails", "/emails/x", "/contacts/x"])("opens GET %s", async (path) => {
    expect((await call(`GET ${path}`, project())).status).toBe(path === "/emails" ? 200 : 404)
  })

  test("begins with a page that has a request id (contract A1.3)", async () => {
    const asked = await it.api("GET /app", { key: "none", headers: { "X-Request-ID": "look-1" } })
    expect(asked.headers.get("x-request-id")).toBe("look-1")
    expect((await it.api("GET /app/inbox", { key: "none" })).headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/)
  })

  test("finds its project in any case of its id", async () => {
    expect(await outcome("GET /emails", { "X-Project-Id": it.project.id.toUpperCase() })).toEqual([200, undefined])
  })

  test.each(["POST /v1/track", "POST /v1/send"])("does not open %s", async (route) => {
    expect(await outcome(route, { ...project(), "Sec-Fetch-Site": "same-origin" }, { body: {} })).toEqual([
      401,
      "INVALID_API_KEY",
    ])
  })

  test("needs X-Project-Id", async () => {
    expect(await outcome("GET /emails", {})).toEqual([400, "BAD_REQUEST"])
    expect(await outcome("DELETE /emails", {})).toEqual([400, "BAD_REQUEST"])
  })

  test.each(["", "x", "0199c0de-0000-7000-8000-0000000fffff"])("has no access to the project %j", async (id) => {
    expect(await outcome("GET /emails", { "X-Project-Id": id })).toEqual([403, "PROJECT_ACCESS_DENIED"])
  })

  test("is ignored when there is an Authorization header (contract A1.5.2)", async () => {
    for (const key of ["pk", "sk_wrong"])
      expect(await outcome("GET /emails", project(), { key })).toEqual([401, "INVALID_API_KEY"])
    expect(await outcome("GET /emails", { ...project(), Authorization: "Basic x" })).toEqual([401, "INVALID_API_KEY"])
    expect(await outcome("GET /users/@me", {}, { key: "sk" })).toEqual([401, "UNAUTHORIZED"])
    expect(await outcome("DELETE /emails", { Origin: "https://evil.test" }, { key: "sk" })).toEqual([204, undefined])
  })

  test.each([
    ["GET /emails", "INVALID_API_KEY"],
    ["GET /users/@me", "UNAUTHORIZED"],
  ])("must be valid for %s", async (route, code) => {
    const [name, token = ""] = cookie.split("=")
    const [head, claims = "", signature] = token.split(".")
    const forged = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(claims, "base64url").toString()), exp: 9e9 }),
    ).toString("base64url")
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url")
    for (const bad of [
      "",
      "x",
      `${head}.${forged}.${signature}`,
      `${head}.${claims}.`,
      `${head}.${claims}`,
      `${none}.${claims}.`,
      `${token}.x`,
    ])
      expect(await outcome(route, { ...project(), Cookie: `${name}=${bad}` })).toEqual([401, code])
  })

  describe("changes state", () => {
    test.each([
      ["from the page itself", { "Sec-Fetch-Site": "same-origin" }],
      ["from the public origin", { Origin: "" }],
    ])("%s", async (_, headers) => {
      const sent = "Origin" in headers ? { Origin: origin } : headers
      expect(await outcome("DELETE /emails", { ...project(), ...sent })).toEqual([204, undefined])
    })

    test.each<Record<string, string>>([
      {},
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
      { "Sec-Fetch-Site": "none" },
      { Origin: "https://evil.test" },
      { Origin: "null" },
      { Origin: "http://127.0.0.1.evil.test" },
    ])("but not with %j", async (headers) => {
      expect(await outcome("DELETE /emails", { ...project(), ...headers })).toEqual([403, "FORBIDDEN"])
    })

    test("reads from any origin", async () => {
      expect(
        await outcome("GET /emails", { ...project(), "Sec-Fetch-Site": "cross-site", Origin: "https://evil.test" }),
      ).toEqual([200, undefined])
    })
  })

  test("of a disabled project reads and changes nothing (contract A1.5.4)", async () => {
    await it.app.projects.setDisabled(it.project.id, "MANUAL")
    const page = { "Sec-Fetch-Site": "same-origin" }
    expect(await outcome("GET /emails", project())).toEqual([200, undefined])
    expect(await outcome("HEAD /emails", project())).toEqual([200, undefined])
    expect(await outcome("DELETE /emails", { ...project(), ...page })).toEqual([403, "PROJECT_DISABLED"])
    await it.app.projects.setDisabled(it.project.id, null)
    expect(await outcome("DELETE /emails", { ...project(), ...page })).toEqual([204, undefined])
  })

  test("does not count against the rate limit (contract A1.9.1)", async () => {
    for (let i = 0; i < 25; i++) {
      const answer = await call("GET /emails", project())
      expect([answer.status, answer.headers.has("ratelimit-limit")]).toEqual([200, false])
    }
  })

  test("is looked up by one row, with no column more than it needs, a key by one of six, and a known key by none", async () => {
    const rows: unknown[][] = []
    const { prepare } = Database.prototype
    Database.prototype.prepare = function (this: Database, ...args: Parameters<typeof prepare>) {
      const statement = prepare.apply(this, args)
      const { values } = statement
      statement.values = (...params) => {
        const found = values.apply(statement, params)
        rows.push(...found)
        return found
      }
      return statement
    } as typeof prepare
    // The built-in owner of the sandbox is a member of nothing, so this needs a server.
    const server = await startTestApp()
    try {
      const owner = await signUp(server, "owner@acme.test")
      const headers = { Cookie: cookieOf(owner), "X-Project-Id": server.project.id }
      const path = "GET /emails/0199c0de-0000-7000-8000-0000000fffff"
      const keyed = () => server.api(path)
      const signedIn = () => server.api(path, { key: "none", headers })
      const { secret: otherKey } = await server.app.projects.create("Other")
      for (const call of [keyed, signedIn]) expect((await call()).status).toBe(404)
      rows.length = 0
      await keyed()
      expect(rows.map(({ length }) => length)).toEqual([])
      await server.api(path, { key: otherKey })
      expect(rows.map(({ length }) => length)).toEqual([6])
      rows.length = 0
      await signedIn()
      expect(rows.map(({ length }) => length)).toEqual([13])
    } finally {
      Database.prototype.prepare = prepare
      await server.close()
    }
  })

  test("returns the signed-in user and the projects", async () => {
    const me = await call("GET /users/@me", {})
    expect(me.body).toMatchObject({ type: "OWNER", emailVerified: true })
    const projects = await call("GET /users/@me/projects", {})
    expect(projects.body).toMatchObject([
      {
        id: it.project.id,
        public: it.project.publicKey,
        secret: it.project.secret,
        role: "OWNER",
        disabled: false,
        customer: null,
      },
    ])
  })

  test("ends after seven days (contract B8.1)", async () => {
    await it.advance({ days: 6, hours: 23 })
    expect(await outcome("GET /emails", project())).toEqual([200, undefined])
    await it.advance({ hours: 1 })
    expect(await outcome("GET /emails", project())).toEqual([401, "INVALID_API_KEY"])
    expect(await outcome("GET /users/@me", {})).toEqual([401, "UNAUTHORIZED"])
  })
})
