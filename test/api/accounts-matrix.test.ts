import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type Browser, newBrowser, signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { operationsOf, readDocument } from "../harness/openapi.ts"

/** Who may call an operation with a session. */
type Access =
  /** Anybody, also without a session. */
  | "anyone"
  /** Only keys, not sessions. */
  | "key"
  /** Any signed-in user. */
  | "user"
  | "user without a disabled project"
  | "instance owner"
  /** Members of the project in the path or in `X-Project-Id`, whatever their role. */
  | "member"
  | "admin"
  /** Members, also of a disabled project, with any method. */
  | "member, disabled too"
  /** Admins; of a disabled project the owner of the instance. */
  | "settings"

/** Resources of a project: all operations below a path are for members (contract B8.4, first row). */
const memberPaths =
  /^\/(?:contacts|emails|inbox|templates|campaigns|segments|events|workflows|activity|analytics|uploads)(?:\/|$)/

/** Every other operation. A new one without a row here fails. */
const access: Readonly<Record<string, Access>> = {
  "GET /config": "anyone",
  "GET /health": "anyone",
  "GET /health/live": "anyone",
  "GET /health/ready": "anyone",
  "GET /metrics": "anyone",
  "POST /v1/send": "key",
  "POST /v1/track": "key",
  "POST /v1/verify": "key",
  "POST /webhooks/sns": "anyone",
  "POST /webhooks/postmark": "anyone",
  "POST /auth/signup": "anyone",
  "POST /auth/login": "anyone",
  "GET /auth/logout": "anyone",
  "GET /auth/oauth-config": "anyone",
  "GET /auth/setup": "anyone",
  "POST /auth/verify-email": "anyone",
  "POST /auth/request-password-reset": "anyone",
  "POST /auth/reset-password": "anyone",
  "POST /auth/request-verification": "user",
  "POST /auth/change-password": "user",
  "POST /auth/change-email": "user",
  "POST /auth/reauthenticate": "user",
  "GET /auth/sessions": "user",
  "DELETE /auth/sessions/{id}": "user",
  "GET /users/@me": "user",
  "GET /users/@me/projects": "user",
  "POST /users/@me/projects": "user without a disabled project",
  "PATCH /users/@me/projects/{id}": "settings",
  "DELETE /users/@me/projects/{id}": "admin",
  "POST /users/@me/projects/{id}/regenerate-keys": "admin",
  "POST /users/@me/projects/{id}/reset": "admin",
  "POST /users/@me/projects/{id}/leave": "member, disabled too",
  "GET /users/@me/projects/{id}/security": "member",
  "GET /projects/{id}/security": "member",
  "GET /projects/{id}/setup-state": "member",
  "GET /projects/{id}/members": "member",
  "POST /projects/{id}/members": "admin",
  "PATCH /projects/{id}/members/{userId}": "admin",
  "DELETE /projects/{id}/members/{userId}": "admin",
  "GET /projects/{id}/audit": "admin",
  "GET /projects/{id}/requests": "admin",
  "GET /instance/projects": "instance owner",
  "GET /instance/settings": "instance owner",
  "GET /instance/audit": "instance owner",
  "GET /instance/transports": "instance owner",
  "GET /instance/requests": "instance owner",
  "GET /instance/alerts": "instance owner",
  "GET /instance/doctor": "instance owner",
  "GET /instance/retention": "instance owner",
  "GET /instance/backups": "instance owner",
  "POST /instance/backups": "instance owner",
  "GET /instance/backups/{id}/file": "instance owner",
  "POST /instance/resume-sending": "instance owner",
  "GET /domains": "member",
  "GET /domains/{id}": "member",
  "POST /domains": "admin",
  "DELETE /domains/{id}": "admin",
  "POST /domains/{id}/verify": "member",
  "GET /domains/{id}/verify": "member",
  "POST /domains/{id}/rotate-key": "admin",
  "GET /domains/project/{projectId}": "member",
}

const unknown = "0199c0de-0000-7000-8000-0000000fffff"

let it: TestApp
let browsers: Record<"nobody" | "stranger" | "member" | "admin" | "owner" | "instance", Browser>
let ids: { project: string; disabled: string; other: string }

beforeAll(async () => {
  it = await startTestApp()
  const instance = await signUp(it, "instance@acme.test")
  const [owner, admin, member, stranger] = await Promise.all(
    ["owner", "admin", "member", "stranger"].map((name) => signUp(it, `${name}@example.com`)),
  )
  if (!owner || !admin || !member || !stranger) throw new Error("Not all have signed up.")
  browsers = { nobody: newBrowser(it), stranger, member, admin, owner, instance }
  const create = async (name: string, by = owner) =>
    (await by.api("POST /users/@me/projects", { body: { name } })).body.id as string
  ids = { project: await create("First"), disabled: await create("Disabled"), other: await create("Other", stranger) }
  for (const id of [ids.project, ids.disabled])
    for (const role of ["ADMIN", "MEMBER"])
      await owner.api(`POST /projects/${id}/members`, { body: { email: `${role.toLowerCase()}@example.com`, role } })
  await it.app.projects.setDisabled(ids.disabled, "MANUAL")
})
afterAll(() => it.close())

type Outcome = "through" | string

/**
 * The code of the refusal before the body is checked, or `through`. Requests name unknown records and have empty
 * bodies, so that accepted ones change nothing.
 */
async function outcome(who: keyof typeof browsers, route: string, project: string): Promise<Outcome> {
  const [method = "", path = ""] = route.split(" ")
  const ofProject = /^\/(?:users\/@me\/projects|projects)\/\{id\}/.test(path)
  const filled = path
    .replace(/\{(?:id|projectId)\}/, ofProject || path.includes("{projectId}") ? project : unknown)
    .replace(/\{\w+\}/g, unknown)
  const isHeaderNeeded = !ofProject && !/^\/(?:auth|users|instance)/.test(path)
  const body = method === "GET" || method === "DELETE" ? {} : { body: [] }
  const answer = await browsers[who].api(`${method} ${filled}`, { ...body, ...(isHeaderNeeded && { project }) })
  const code = answer.body?.error?.code
  const refusals = ["UNAUTHORIZED", "INVALID_API_KEY", "PROJECT_ACCESS_DENIED", "FORBIDDEN", "PROJECT_DISABLED"]
  return refusals.includes(code) ? code : "through"
}

const expected = (rule: Access, isChange: boolean, isResource: boolean) => {
  const stranger = "PROJECT_ACCESS_DENIED"
  const nobody = isResource ? "INVALID_API_KEY" : "UNAUTHORIZED"
  const disabled = isChange ? "PROJECT_DISABLED" : "through"
  switch (rule) {
    case "anyone":
      return undefined
    case "key":
      return {
        nobody: "INVALID_API_KEY",
        stranger: "INVALID_API_KEY",
        member: "INVALID_API_KEY",
        admin: "INVALID_API_KEY",
        owner: "INVALID_API_KEY",
        disabled: "INVALID_API_KEY",
      }
    case "user":
      return { nobody, stranger: "through", member: "through", admin: "through", owner: "through", disabled: "through" }
    case "user without a disabled project":
      return { nobody, stranger: "through", member: "through", admin: "through", owner: disabled, disabled }
    case "instance owner":
      return {
        nobody,
        stranger: "FORBIDDEN",
        member: "FORBIDDEN",
        admin: "FORBIDDEN",
        owner: "FORBIDDEN",
        disabled: "FORBIDDEN",
      }
    case "member":
      return { nobody, stranger, member: "through", admin: "through", owner: "through", disabled }
    case "member, disabled too":
      return { nobody, stranger, member: "through", admin: "through", owner: "through", disabled: "through" }
    case "admin":
    case "settings":
      return { nobody, stranger, member: "FORBIDDEN", admin: "through", owner: "through", disabled }
  }
}

/**
 * Operations that delete a project, its data or a membership: these are tried only by users who may not perform them.
 */
const destructive = /^(?:DELETE \/users\/@me\/projects\/\{id\}|POST \S+\/(?:reset|regenerate-keys|leave))$/

describe("Every operation of the document", () => {
  let routes: string[]
  beforeAll(async () => {
    const document = readDocument((await it.api("GET /openapi.json", { key: "none" })).body)
    routes = operationsOf(document).map(({ route }) => route)
  })

  const ruleOf = (route: string): Access | undefined =>
    access[route] ?? (memberPaths.test(route.replace(/^\S+ /, "")) ? "member" : undefined)

  test("has a row in the table of this test", () => {
    expect(routes.filter((route) => ruleOf(route) === undefined)).toEqual([])
  })

  test("has no row without an operation", () => {
    const planned = /^\S+ \/domains/
    expect(Object.keys(access).filter((route) => !routes.includes(route) && !planned.test(route))).toEqual([])
  })

  test("accepts the permitted users, and refuses others with the right code", async () => {
    const wrong: unknown[] = []
    let tried = 0
    for (const route of routes) {
      const rule = ruleOf(route)
      const isChange = !route.startsWith("GET ")
      const isResource = !/^\S+ \/(?:auth|users|projects|instance)/.test(route)
      const want = rule && expected(rule, isChange, isResource)
      if (want === undefined) continue
      for (const who of ["nobody", "stranger", "member", "admin", "owner"] as const) {
        if (destructive.test(route) && want[who] === "through") continue
        const got = await outcome(who, route, ids.project)
        tried++
        if (got !== want[who]) wrong.push({ route, who, got, want: want[who] })
      }
      const inDisabled = await outcome("owner", route, ids.disabled)
      if (inDisabled !== want.disabled)
        wrong.push({ route, who: "owner of a disabled one", got: inDisabled, want: want.disabled })
      if (want.stranger !== "PROJECT_ACCESS_DENIED") continue
      for (const project of [ids.other, unknown, "x", "00000000-0000-0000-0000-000000000000"]) {
        const got = await outcome("owner", route, project)
        if (got !== "PROJECT_ACCESS_DENIED") wrong.push({ route, who: `owner, project ${project}`, got })
      }
    }
    expect(wrong).toEqual([])
    expect(tried).toBeGreaterThan(300)
  }, 110_000)

  test("for a session with its project requires X-Project-Id", async () => {
    for (const route of routes.filter(
      (one) => ruleOf(one) === "member" && memberPaths.test(one.replace(/^\S+ /, "")),
    )) {
      const { status, body } = await browsers.member.api(route.replace(/\{\w+\}/g, unknown))
      expect([route, status, body?.error?.code]).toEqual([route, 400, "BAD_REQUEST"])
    }
  }, 110_000)

  test("that changes something by a session is refused from other sites (contract B8.1.2)", async () => {
    const own = new URL((await it.api("GET /config")).body.urls.api).origin
    const { port, hostname } = new URL(own)
    const refusedHeaders: Record<string, string>[] = [
      {},
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
      { "Sec-Fetch-Site": "none" },
      { "Sec-Fetch-Site": "cross-site", Origin: own },
      { Origin: "null" },
      { Origin: "https://evil.test" },
      { Origin: `http://sibling.${hostname}:${port}` },
      { Origin: `${own}.evil.test` },
      { Origin: own.replace(/:\d+$/, ":1") },
    ]
    const wrong: unknown[] = []
    for (const route of routes) {
      const rule = ruleOf(route)
      if (rule === undefined || rule === "anyone" || rule === "key" || route.startsWith("GET ")) continue
      for (const headers of refusedHeaders) {
        const [method, path = ""] = route.split(" ")
        const isOfProject = /^\/(?:users\/@me\/projects|projects)\/\{id\}/.test(path)
        const filled = path.replace("{id}", isOfProject ? ids.project : unknown).replace(/\{\w+\}/g, unknown)
        const { status, body } = await it.api(`${method} ${filled}`, {
          key: "none",
          headers: {
            Cookie: [...browsers.owner.cookies].map((pair) => pair.join("=")).join("; "),
            "X-Project-Id": ids.project,
            ...headers,
          },
          ...(method === "DELETE" ? {} : { body: [] }),
        })
        if (status !== 403 || body.error.code !== "FORBIDDEN")
          wrong.push({ route, headers, status, code: body?.error?.code })
      }
    }
    expect(wrong).toEqual([])
  }, 110_000)
})

test("No response shows the secret key to a member", async () => {
  const { secret } = (await browsers.owner.api("GET /users/@me/projects")).body[0]
  expect(secret).toMatch(/^sk_/)
  for (const path of [
    "/users/@me/projects",
    `/users/@me/projects/${ids.project}/security`,
    `/projects/${ids.project}/members`,
    `/projects/${ids.project}/setup-state`,
    "/users/@me",
  ])
    expect(JSON.stringify((await browsers.member.api(`GET ${path}`)).body)).not.toContain(secret)
  const refused = await browsers.member.api(`POST /users/@me/projects/${ids.project}/regenerate-keys`)
  expect(JSON.stringify(refused.body)).not.toMatch(/sk_[0-9a-f]/)
  const shown = (await browsers.member.api("GET /users/@me/projects")).body
  expect(shown.map((one: { secret: unknown }) => one.secret)).toEqual([null, null])
})
