import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type Browser, newBrowser, password, signIn, signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"

let it: TestApp
let owner: Browser & { id: string }
let id: string
let secret: string

beforeAll(async () => {
  it = await startTestApp()
  owner = await signUp(it, "owner@acme.test")
  const { body } = await owner.api("POST /users/@me/projects", { body: { name: "Audited" } })
  id = body.id
  secret = body.secret
})
afterAll(() => it.close())

interface Entry {
  readonly action: string
  readonly actor: string
  readonly userId: string | null
  readonly address: string | null
  readonly projectId: string | null
  readonly details: object
}

const entries = async (path: string): Promise<Entry[]> => (await owner.api(`GET ${path}/audit?limit=100`)).body.data
/** The newest entries of the project, the latest last, without those before. */
async function added(work: () => Promise<unknown>): Promise<object[]> {
  const before = await entries(`/projects/${id}`)
  await work()
  const after = await entries(`/projects/${id}`)
  return after
    .slice(0, after.length - before.length)
    .map(({ action, actor, userId, address, details }) => ({ action, actor, userId, address, details }))
    .toReversed()
}

test("A cursor that is none of this list is refused (contract A1.4.2)", async () => {
  const opaque = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString("base64url")
  const last = "0199c0de-0000-7000-8000-000000000001"
  for (const [key, of] of [
    ["abc", last],
    ["1", last],
    [1.5, last],
    [1, "x"],
  ])
    for (const path of [`/projects/${id}`, "/instance"]) {
      const { status } = await owner.api(`GET ${path}/audit?cursor=${opaque(["createdAt.desc", key, of])}`)
      expect([path, key, of, status]).toEqual([path, key, of, 400])
    }
})

describe("The audit of a project has, by a user and by a key (contract B8.3.16)", () => {
  const callers = [
    ["a user", (route: string, body?: object) => owner.api(route, { project: id, ...(body && { body }) })],
    ["a key", (route: string, body?: object) => it.api(route, { key: secret, ...(body && { body }) })],
  ] as const

  describe.each(callers)("%s", (who, call) => {
    const actor = () =>
      who === "a key"
        ? { actor: "secret key", userId: null, address: "127.0.0.1" }
        : { actor: "owner@acme.test", userId: owner.id, address: "127.0.0.1" }

    test("a domain that is added or deleted, and no refused one", async () => {
      const domain = `${who.slice(2)}.example`
      const rows = await added(async () => {
        const { body } = await call("POST /domains", { domain })
        expect((await call("POST /domains", { domain })).status).toBe(409)
        expect((await call(`DELETE /domains/${body.id}`)).status).toBe(204)
        expect((await call(`DELETE /domains/${body.id}`)).status).toBe(404)
      })
      expect(rows).toEqual([
        { action: "domain.added", ...actor(), details: { domain } },
        { action: "domain.deleted", ...actor(), details: { domain } },
      ])
    })

    test("a field that is deleted, and none that there is not", async () => {
      await call("POST /contacts", { email: "ada@example.com", data: { plan: "pro" } })
      const rows = await added(async () => {
        expect((await call("DELETE /contacts/fields/data.plan")).body).toEqual({ deletedFrom: 1 })
        await call("DELETE /contacts/fields/data.plan")
        await call("DELETE /contacts/fields/email")
      })
      expect(rows).toEqual([{ action: "field.deleted", ...actor(), details: { field: "plan" } }])
    })

    test("contacts that are deleted in bulk, by their number or what selects them", async () => {
      const { body } = await call("POST /contacts", { email: "bo@example.com" })
      const rows = await added(async () => {
        await call("POST /contacts/bulk-delete", { contactIds: [body.id] })
        const filter = { search: "@example", subscribed: true }
        await call("POST /contacts/bulk-delete", { mode: "query", filter, excludeIds: [body.id] })
        await call("POST /contacts/bulk-unsubscribe", { contactIds: [body.id] })
      })
      expect(rows).toEqual([
        { action: "contacts.deleted", ...actor(), details: { contacts: 1 } },
        {
          action: "contacts.deleted",
          ...actor(),
          details: { filter: { search: "@example", subscribed: true }, excluded: 1 },
        },
      ])
    })

    test("events of a name that are deleted, and no others", async () => {
      await call("POST /events/track", { name: "visited" })
      const rows = await added(async () => {
        expect((await call("DELETE /events/visited")).body).toEqual({ deletedCount: 1 })
        await call("DELETE /events/visited")
        expect((await call("DELETE /events/email.sent")).status).toBe(409)
      })
      expect(rows).toEqual([{ action: "events.deleted", ...actor(), details: { event: "visited" } }])
    })
  })

  test("a role that is changed, and none that stays as it is", async () => {
    const email = "member@acme.test"
    const member = await signUp(it, email)
    await owner.api(`POST /projects/${id}/members`, { body: { email } })
    const rows = await added(async () => {
      for (const role of ["MEMBER", "ADMIN", "ADMIN"]) {
        const { status, body } = await owner.api(`PATCH /projects/${id}/members/${member.id}`, { body: { role } })
        expect([status, body.data?.role]).toEqual([200, role])
      }
    })
    expect(rows).toEqual([
      {
        action: "member.role_changed",
        actor: "owner@acme.test",
        userId: owner.id,
        address: "127.0.0.1",
        details: { email, role: "ADMIN", before: "MEMBER" },
      },
    ])
  })

  test("a project by the name that it has, however that was sent", async () => {
    const { body } = await owner.api("POST /users/@me/projects", { body: { name: "  Spaced " } })
    expect(body.name).toBe("Spaced")
    expect(await entries(`/projects/${body.id}`)).toMatchObject([
      { action: "project.created", details: { name: "Spaced" } },
    ])
  })

  test("a domain that the command line adds", async () => {
    const rows = await added(() => it.app.domains.add(id, "vouched.example", { vouched: true }))
    expect(rows).toEqual([
      {
        action: "domain.added",
        actor: "command line",
        userId: null,
        address: null,
        details: { domain: "vouched.example" },
      },
    ])
  })
})

describe("The audit of the server has failed sign-ins once they reach a limit (contract B8.3.19)", () => {
  const failures = async () => (await entries("/instance")).filter(({ action }) => action === "account.sign_in_failed")
  const fail = async (email: string, count: number, browser = newBrowser(it)) => {
    for (let time = 0; time < count; time++)
      await browser.api("POST /auth/login", { body: { email, password: "wrong password" } })
  }
  const visitor = { actor: "not signed in", userId: null, address: "127.0.0.1", projectId: null }

  test("of an address, known or not, one row in 15 minutes", async () => {
    await it.advance({ minutes: 15 })
    await fail("owner@acme.test", 9)
    expect(await failures()).toEqual([])
    await fail("owner@acme.test", 20)
    await fail("nobody@example.com", 20)
    expect(await failures()).toMatchObject([
      { ...visitor, details: { email: "nobody@example.com", failures: 10 } },
      { ...visitor, details: { email: "owner@acme.test", failures: 10 } },
    ])
    await it.advance({ minutes: 15 })
    await fail("owner@acme.test", 20)
    expect(await failures()).toHaveLength(3)
  })

  test("of a client", async () => {
    await it.advance({ minutes: 15 })
    const before = await failures()
    for (let at = 0; at < 110; at++) await fail(`guess${at}@example.com`, 1)
    const [row, ...rest] = await failures()
    expect(rest).toEqual(before)
    expect(row).toMatchObject({ ...visitor, details: { failures: 100 } })
  })

  test("of a session, by its user, and not for a last attempt that succeeds", async () => {
    await it.advance({ minutes: 15 })
    const before = await failures()
    const own = newBrowser(it)
    await fail("owner@acme.test", 9, own)
    expect((await own.api("POST /auth/login", { body: { email: "owner@acme.test", password } })).status).toBe(200)
    expect(await failures()).toEqual(before)
    const browser = await signIn(it, "owner@acme.test")
    for (let time = 0; time < 12; time++)
      await browser.api("POST /auth/reauthenticate", { body: { password: "wrong password" } })
    const [row, ...rest] = await failures()
    expect(rest).toEqual(before)
    expect(row).toMatchObject({ actor: "owner@acme.test", userId: owner.id, details: { failures: 10 } })
  })
})
