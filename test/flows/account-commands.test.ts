import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { keepAddress } from "../../src/commands/health.ts"
import { type Browser, newBrowser, password, signIn, signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { runCommand } from "../harness/commands.ts"
import { rowOf } from "../harness/mails.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

const command = (line: string, stdin?: string) => runCommand(it, line, stdin)

test("setup-link has the address of the server that runs", async () => {
  const server = await startTestApp()
  const { port } = await server.app.start()
  keepAddress({ data: server.folder, http: { ...server.app.config.http, host: "127.0.0.1" } }, port)
  const { urls } = (await (await fetch(`http://127.0.0.1:${port}/config`)).json()) as { urls: { dashboard: string } }
  const { json } = await runCommand(server, "setup-link")
  expect(json.url).toStartWith(`${urls.dashboard}/setup?token=`)
  await server.close()
})

test("While people may not create accounts themselves, only the set-up link makes the first (contract B8.1.5, B8.2.1)", async () => {
  const closed = await startTestApp({ settings: { "accounts.signups": "false" } })
  const signup = async (email: string, setupToken?: string | null) => {
    const { status, body } = await newBrowser(closed).api("POST /auth/signup", {
      body: { email, password, setupToken },
    })
    return [status, body.error?.code]
  }
  expect(await signup("first@example.com")).toEqual([403, "FORBIDDEN"])
  const { json } = await runCommand(closed, "setup-link")
  expect(await signup("first@example.com", new URL(json.url).searchParams.get("token"))).toEqual([201, undefined])
  expect(await signup("second@example.com")).toEqual([403, "FORBIDDEN"])
  await closed.close()
})

/** A request from another machine. */
const remote = { headers: { "X-Forwarded-For": "203.0.113.7" } }

describe("Commands for accounts, beside a running server (contract A8.1)", () => {
  let owner: Browser

  test("setup-link prints a link that creates the first account from anywhere, and voids the previous one", async () => {
    const body = { email: "first@example.com", password }
    const [voided, good] = [await command("setup-link"), await command("setup-link")]
    const tokens = [voided, good].map(({ json }) => new URL(json.url).searchParams.get("token"))
    expect(new URL(good.json.url).pathname).toBe("/app/setup")
    const attempts = []
    for (const setupToken of [undefined, "x", tokens[0], tokens[1], tokens[1]]) {
      const browser = newBrowser(it)
      const given = { ...body, ...(setupToken ? { setupToken } : {}) }
      const { status, body: answer } = await browser.api("POST /auth/signup", { ...remote, body: given })
      attempts.push([status, answer.error?.code])
      if (status === 201) owner = browser
    }
    expect(attempts).toEqual([
      [403, "FORBIDDEN"],
      [403, "FORBIDDEN"],
      [403, "FORBIDDEN"],
      [201, undefined],
      [409, "CONFLICT"],
    ])
    expect((await owner.api("GET /users/@me")).body.type).toBe("OWNER")
    expect((await owner.api("GET /users/@me/projects")).body[0]).toMatchObject({ id: it.project.id, role: "OWNER" })
  })

  test("setup-link fails once there is an account", async () => {
    const { code, stdout, stderr } = await command("setup-link")
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toContain("user create")
  })

  test("project create creates a project owned by the owner of the instance", async () => {
    const { json } = await command("project create Shop")
    expect((await owner.api("GET /users/@me/projects")).body.at(-1)).toMatchObject({ id: json.id, role: "OWNER" })
    expect((await it.api("GET /contacts", { key: json.secret })).status).toBe(200)
  })

  test("user create creates a confirmed account, once, with a generated or piped password", async () => {
    const made = await command("user create Ada@Example.com")
    expect(made.json).toEqual({ id: expect.any(String), email: "ada@example.com", password: expect.any(String) })
    const ada = await signIn(it, "ada@example.com", made.json.password)
    expect((await ada.api("GET /users/@me")).body).toMatchObject({ type: "USER", emailVerified: true })
    expect((await command("user create ada@example.com")).code).toBe(1)
    expect((await command("user create bo@example.com --password-stdin", "a fine long staple\n")).code).toBe(0)
    await signIn(it, "bo@example.com", "a fine long staple")
    expect((await command("user create cy@example.com --password-stdin", "short\n")).code).toBe(1)
    expect((await command("user create nobody")).code).toBe(2)
  })

  test("user list shows accounts, without secrets", async () => {
    const { json, stdout } = await command("user list")
    expect(json.map(({ email, type }: { email: string; type: string }) => [email, type])).toEqual([
      ["first@example.com", "OWNER"],
      ["ada@example.com", "USER"],
      ["bo@example.com", "USER"],
    ])
    expect(Object.keys(json[0]).sort()).toEqual(["createdAt", "email", "emailVerified", "id", "type"])
    expect(stdout).not.toContain("argon2")
  })

  test("user password sets a new one, and ends all sessions", async () => {
    const bo = await signIn(it, "bo@example.com", "a fine long staple")
    expect((await bo.api("GET /users/@me")).status).toBe(200)
    const { json } = await command("user password bo@example.com")
    expect((await bo.api("GET /users/@me")).status).toBe(401)
    await signIn(it, "bo@example.com", json.password)
    const old = await newBrowser(it).api("POST /auth/login", {
      body: { email: "bo@example.com", password: "a fine long staple" },
    })
    expect([old.status, old.body.error.code]).toEqual([401, "INVALID_CREDENTIALS"])
    expect((await command("user password nobody@example.com")).code).toBe(1)
  })

  test("project disable invalidates the keys from the next request on, and project enable restores them", async () => {
    const body = { to: "ada@example.com", from: "hi@acme.test", subject: "Hi", body: "<p>Hi</p>" }
    const { body: accepted } = await it.api("POST /v1/send", { body })
    const disabled = await command(`project disable ${it.project.id}`)
    // Mail that waits has ended when the command returns, before the server has read of it (contract B9.4.5).
    expect(await rowOf(it, accepted.data.emails[0].email)).toMatchObject({
      status: "FAILED",
      error: "project_disabled",
    })
    expect(disabled.json).toMatchObject({
      id: it.project.id,
      name: "Acme",
      public: it.project.publicKey,
      disabled: true,
    })
    const refused = await it.api("GET /contacts")
    expect([refused.status, refused.body.error.code]).toEqual([403, "PROJECT_DISABLED"])
    expect((await command(`project enable ${it.project.id}`)).json.disabled).toBe(false)
    expect((await it.api("GET /contacts")).status).toBe(200)
    expect((await command("project disable nothing")).code).toBe(1)
  })
})

test("The first account can be created on the command line, and owns earlier projects", async () => {
  const app = await startTestApp()
  try {
    await app.app.accounts.createUser("root@example.com", password)
    const root = await signIn(app, "root@example.com")
    expect((await root.api("GET /users/@me")).body.type).toBe("OWNER")
    expect((await root.api("GET /users/@me/projects")).body).toHaveLength(1)
    await expect(signUp(app, "root@example.com")).rejects.toThrow("409")
  } finally {
    await app.close()
  }
})
