import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { eq, sql } from "drizzle-orm"
import { attemptTable, sessionTable, tokenTable } from "../../src/modules/accounts/table.ts"
import { auditTable } from "../../src/modules/audit/index.ts"
import { type Browser, newBrowser, password, signIn, signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { send } from "../harness/mails.ts"

let it: TestApp
let owner: Browser
let ada: Browser & { id: string }

beforeAll(async () => {
  it = await startTestApp({
    settings: {
      "mail.url": "smtp://user:hunter2@relay.example.com:587",
      "postmark.token": "postmark-secret",
      "metrics.token": "metrics-secret",
      "system_mail.from": "Mailstead <post@acme.test>",
      "retention.content_days": "1.5",
      "webhooks.retry_seconds": "1 2",
    },
  })
  owner = await signUp(it, "owner@acme.test")
  ada = await signUp(it, "ada@example.com")
  await it.app.store.write("instance", async (unit) => {
    const { userTable } = await import("../../src/modules/accounts/index.ts")
    await unit.db.update(userTable).set({ verifiedAt: unit.now })
  })
})
afterAll(() => it.close())

test.each(["/instance/projects", "/instance/settings", "/instance/audit", "/instance/transports"])(
  "GET %s is for the owner of the instance alone",
  async (path) => {
    expect((await owner.api(`GET ${path}`)).status).toBe(200)
    const others = [await ada.api(`GET ${path}`), await newBrowser(it).api(`GET ${path}`), await it.api(`GET ${path}`)]
    expect(others.map(({ status, body }) => [status, body.error.code])).toEqual([
      [403, "FORBIDDEN"],
      [401, "UNAUTHORIZED"],
      [401, "UNAUTHORIZED"],
    ])
  },
)

test("A project may have a postal address, one line of at most 200 characters (contract B8.3.21)", async () => {
  const { id, postalAddress } = (await ada.api("POST /users/@me/projects", { body: { name: "Posted" } })).body
  expect(postalAddress).toBeNull()
  const set = (value: unknown) => ada.api(`PATCH /users/@me/projects/${id}`, { body: { postalAddress: value } })
  for (const value of ["1 Main Street, Springfield", "x".repeat(200), null])
    expect((await set(value)).body).toMatchObject({ postalAddress: value, name: "Posted" })
  for (const value of ["", "a\nb", "x".repeat(201), 7]) expect([value, (await set(value)).status]).toEqual([value, 422])
  await ada.api(`DELETE /users/@me/projects/${id}`)
})

test("A change of a project takes its settings and ignores what else is sent (contract A1.2.3, contract B8.3.4)", async () => {
  const made = (await ada.api("POST /users/@me/projects", { body: { name: "Kept" } })).body
  const keys = { public: "pk_other", publicKey: "pk_other", secretHash: "0", secretSealed: "0" }
  const others = { ...keys, id: crypto.randomUUID(), disabledReason: "MANUAL", deletedAt: 1, createdAt: 1, unknown: 1 }
  const change = (by: Browser, body: object) => by.api(`PATCH /users/@me/projects/${made.id}`, { body })
  await it.advance({ minutes: 1 })
  for (const [name, value] of Object.entries(others)) {
    const { status, body } = await change(ada, { [name]: value })
    expect([name, status, body]).toEqual([name, 200, made])
  }
  // Who is no member may set this one alone.
  expect((await change(owner, { disabled: false, ...others })).status).toBe(200)
  expect((await change(ada, { name: "Renamed", ...others })).body).toEqual({
    ...made,
    name: "Renamed",
    updatedAt: expect.any(String),
  })
  await ada.api(`DELETE /users/@me/projects/${made.id}`)
})

test("All projects are listed with owner, volume and state, oldest first (contract B8.3.17)", async () => {
  await it.app.projects.create("Nobody's")
  await it.advance({ minutes: 1 })
  const { id } = (await ada.api("POST /users/@me/projects", { body: { name: "Ada's" } })).body
  await send(it, "a@example.com", "b@example.com")
  await it.settle()
  expect((await owner.api(`PATCH /users/@me/projects/${id}`, { body: { disabled: true } })).status).toBe(200)
  const { body } = await owner.api("GET /instance/projects")
  expect(body.success).toBe(true)
  const [first, , last] = body.data
  expect(body.data.length).toBe(3)
  expect(first).toEqual({
    id: it.project.id,
    name: "Acme",
    owner: "owner@acme.test",
    disabled: false,
    disabledReason: null,
    emailsSent: 2,
    contactCount: 2,
    createdAt: expect.any(String),
  })
  expect(last).toMatchObject({ id, owner: "ada@example.com", disabled: true, disabledReason: "MANUAL", emailsSent: 0 })
})

test("The effective configuration is shown without its secrets (contract B8.3.18)", async () => {
  const { body } = await owner.api("GET /instance/settings")
  const { version, commit, settings } = body.data
  expect([version, commit]).toEqual([(await it.api("GET /health")).body.version, expect.any(String)])
  const of = (key: string) => settings.find((one: { key: string }) => one.key === key)
  expect(of("mail.url")).toEqual({ key: "mail.url", value: ["smtp://relay.example.com:587"], default: [] })
  expect(of("postmark.token")).toEqual({ key: "postmark.token", value: "***", default: null })
  expect(of("postmark.webhook_password")).toMatchObject({ value: null })
  expect(of("retention.content_days")).toEqual({ key: "retention.content_days", value: 1.5, default: 90 })
  expect(of("webhooks.retry_seconds")).toMatchObject({ value: [1, 2], default: [5, 30, 120] })
  expect(of("limits.attachment_mb")).toMatchObject({ value: 10, default: 10 })
  expect(of("system_mail.from")).toMatchObject({ value: "Mailstead <post@acme.test>", default: null })
  expect(of("data")).toMatchObject({ value: it.folder })
  for (const secret of ["hunter2", "postmark-secret", "metrics-secret"])
    expect(JSON.stringify(body)).not.toContain(secret)
})

describe("The name of a project (contract B8.3.3, contract B8.3.4)", () => {
  const create = (name: string) => owner.api("POST /users/@me/projects", { body: { name } })
  const rename = async (name: string) => {
    const { id } = (await create("Before")).body
    return owner.api(`PATCH /users/@me/projects/${id}`, { body: { name } })
  }

  test.each([
    ["POST", create],
    ["PATCH", rename],
  ])("is trimmed, and not blank: %s", async (_, send) => {
    expect((await send("\t Shop\u2028 ")).body.name).toBe("Shop")
    for (const name of ["", " ", "\t", "\u2028", "\ufeff \u3000"]) {
      const { status, body } = await send(name)
      expect([name, status, body.error.errors]).toEqual([
        name,
        422,
        [expect.objectContaining({ field: "name", code: "too_small" })],
      ])
    }
  })
})

describe("A disabled project", () => {
  const codeOf = ({ status, body }: Awaited<ReturnType<typeof owner.api>>) => [status, body.error?.code]
  const refused = [403, "PROJECT_DISABLED"]
  const join = async (email: string) => {
    await it.app.accounts.createUser(email, password)
    return signIn(it, email)
  }

  test("takes no other change from the owner of the instance, unless it is enabled with it (contract B8.3.4)", async () => {
    const { id } = (await owner.api("POST /users/@me/projects", { body: { name: "Kept" } })).body
    const change = (body: object) => owner.api(`PATCH /users/@me/projects/${id}`, { body })
    await change({ disabled: true })
    for (const body of [{ name: "q" }, { name: "" }, {}]) expect(codeOf(await change(body))).toEqual(refused)
    expect((await change({ disabled: true, name: "q" })).body).toMatchObject({ disabled: true, name: "q" })
    expect((await change({ disabled: false })).body).toMatchObject({ disabled: false, name: "q" })
    expect((await change({ name: "Kept" })).body.name).toBe("Kept")
  })

  test("of somebody else neither", async () => {
    const bo = await join("bo@example.com")
    const { id } = (await bo.api("POST /users/@me/projects", { body: { name: "Bo's" } })).body
    await owner.api(`PATCH /users/@me/projects/${id}`, { body: { disabled: true } })
    const named = await owner.api(`PATCH /users/@me/projects/${id}`, { body: { name: "q" } })
    expect(codeOf(named)).toEqual(refused)
    expect((await bo.api("GET /users/@me/projects")).body[0].name).toBe("Bo's")
  })

  test("is told before the shape of another one that its owner wants to make (contract A1.6)", async () => {
    const cy = await join("cy@example.com")
    const { id } = (await cy.api("POST /users/@me/projects", { body: { name: "Cy's" } })).body
    await owner.api(`PATCH /users/@me/projects/${id}`, { body: { disabled: true } })
    for (const body of [{ name: "Another" }, { name: "" }, {}])
      expect(codeOf(await cy.api("POST /users/@me/projects", { body }))).toEqual(refused)
  })
})

describe("The audit list (contract B8.3.16, B8.3.19)", () => {
  let P: string

  beforeAll(async () => {
    const { id } = (await ada.api("POST /users/@me/projects", { body: { name: "Second" } })).body ?? {}
    // The owner of a disabled project cannot create another (contract B8.3.3).
    expect(id).toBeUndefined()
    const mine = (await ada.api("GET /users/@me/projects")).body[0].id
    await owner.api(`PATCH /users/@me/projects/${mine}`, { body: { disabled: false } })
    P = mine
    await ada.api(`POST /projects/${P}/members`, { body: { email: "owner@acme.test" } })
    await it.advance({ minutes: 1 })
    await ada.api(`POST /users/@me/projects/${P}/regenerate-keys`)
  })

  test("shows the actions and actors of a project, the latest first", async () => {
    const { body } = await ada.api(`GET /projects/${P}/audit`)
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
      "project.keys_rotated",
      "member.added",
      "project.enabled",
      "project.disabled",
      "project.created",
    ])
    expect(body).toMatchObject({ hasMore: false, total: 5 })
    expect(body.data[1]).toEqual({
      id: expect.any(String),
      projectId: P,
      action: "member.added",
      userId: ada.id,
      actor: "ada@example.com",
      address: "127.0.0.1",
      details: { email: "owner@acme.test", role: "MEMBER" },
      createdAt: expect.any(String),
    })
  })

  test("has pages, which together contain every entry once", async () => {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { body } = await ada.api(`GET /projects/${P}/audit?limit=2${cursor ? `&cursor=${cursor}` : ""}`)
      expect(body.total).toBe(cursor ? 0 : 5)
      seen.push(...body.data.map(({ id }: { id: string }) => id))
      cursor = body.cursor
    } while (cursor)
    expect([seen.length, new Set(seen).size]).toEqual([5, 5])
    const bad = await ada.api(`GET /projects/${P}/audit?cursor=x`)
    expect([bad.status, bad.body.error.code]).toEqual([400, "BAD_REQUEST"])
  })

  test("of a project is refused for members", async () => {
    const { status, body } = await owner.api(`GET /projects/${P}/audit`)
    expect([status, body.error.code]).toEqual([403, "FORBIDDEN"])
  })

  test("of the instance includes accounts, but never a password, key or token", async () => {
    await newBrowser(it).api("POST /auth/login", { body: { email: "ada@example.com", password: "wrong password" } })
    const { body } = await owner.api("GET /instance/audit?limit=100")
    const actions = body.data.map(({ action }: { action: string }) => action)
    for (const action of ["account.created", "project.created", "project.keys_rotated"])
      expect(actions).toContain(action)
    const text = JSON.stringify(await it.app.store.read.select().from(auditTable))
    expect(text).not.toMatch(/[sp]k_[0-9a-f]{8}|argon2/)
    expect(text).not.toContain(password)
  })

  test("of the instance keeps the entries of a deleted project", async () => {
    await ada.api(`DELETE /users/@me/projects/${P}`)
    const rows = await it.app.store.read.select().from(auditTable).where(eq(auditTable.projectId, P))
    expect(rows.map(({ action }) => action)).toContain("project.deleted")
    const { body } = await owner.api("GET /instance/audit?limit=1")
    expect(body.data[0]).toMatchObject({ action: "project.deleted", projectId: P, actor: "ada@example.com" })
  })
})

test("Expired rows are deleted: sessions, tokens, attempts, and audit rows after a year", async () => {
  const db = it.app.store.read
  const left = async () => [
    (await db.select().from(sessionTable)).length,
    (await db.select().from(tokenTable)).length,
    (await db.select().from(attemptTable)).length,
    (await db.select().from(auditTable)).length > 0,
  ]
  expect((await left()).slice(0, 3).every((count) => Number(count) > 0)).toBe(true)
  await it.advance({ days: 8 })
  expect(await left()).toEqual([0, 0, 0, true])
  await it.advance({ days: 366 })
  expect((await left())[3]).toBe(false)
  expect((await (await signIn(it, "ada@example.com")).api("GET /users/@me")).status).toBe(200)
})

test("The owner of the instance gets no key of a project that they are no member of", async () => {
  owner = await signIn(it, "owner@acme.test")
  const ada = await signIn(it, "ada@example.com")
  const { id, secret } = (await ada.api("POST /users/@me/projects", { body: { name: "Foreign" } })).body
  expect(secret).toStartWith("sk_")
  for (const disabled of [false, true, false]) {
    const { status, body } = await owner.api(`PATCH /users/@me/projects/${id}`, { body: { disabled } })
    expect([status, body.secret, body.disabled]).toEqual([200, null, disabled])
  }
})

test("The owner of the instance disables and enables a project that made them a member, and changes nothing else of it (contract B8.3.4)", async () => {
  owner = await signIn(it, "owner@acme.test")
  const ada = await signIn(it, "ada@example.com")
  const { id } = (await ada.api("POST /users/@me/projects", { body: { name: "Inviting" } })).body
  const member = { email: "owner@acme.test", role: "MEMBER" }
  expect((await ada.api(`POST /projects/${id}/members`, { body: member })).status).toBe(201)
  const change = async (body: object) => {
    const answer = await owner.api(`PATCH /users/@me/projects/${id}`, { body })
    return [answer.status, answer.body.error?.code ?? answer.body.disabled]
  }
  expect(await change({ disabled: true })).toEqual([200, true])
  expect(await change({ disabled: false })).toEqual([200, false])
  for (const body of [{ disabled: true, name: "q" }, { name: "q" }, {}])
    expect(await change(body)).toEqual([403, "FORBIDDEN"])
  const [shown] = (await owner.api("GET /users/@me/projects")).body.filter((one: { id: string }) => one.id === id)
  expect(shown).toMatchObject({ name: "Inviting", disabled: false, role: "MEMBER", secret: null })
})

test("A change of settings that also disables the project is stored whole or not at all", async () => {
  owner = await signIn(it, "owner@acme.test")
  const name = "Halfway"
  const { id } = (await owner.api("POST /users/@me/projects", { body: { name: "Whole" } })).body
  const change = () => owner.api(`PATCH /users/@me/projects/${id}`, { body: { name, disabled: true } })
  const stored = async () => {
    const project = await it.app.projects.get(id)
    return [project.name, project.disabledReason]
  }
  const run = (text: string) => it.app.store.write("instance", async (unit) => void (await unit.db.run(sql.raw(text))))
  await run(`CREATE TRIGGER stuck BEFORE INSERT ON audit WHEN NEW.action = 'project.disabled'
    BEGIN SELECT RAISE(ABORT, 'stuck'); END`)
  expect((await change()).status).toBe(500)
  expect(await stored()).toEqual(["Whole", null])
  await run("DROP TRIGGER stuck")
  expect((await change()).status).toBe(200)
  expect(await stored()).toEqual([name, "MANUAL"])
})
