import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type Browser, cookieOf, password, sessionOfOwner, signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"

let it: TestApp
let owner: Browser

beforeAll(async () => {
  it = await startTestApp()
  owner = await signUp(it, "owner@acme.test")
})
afterAll(() => it.close())

const mail = { to: "ada@example.com", from: "hi@races.test", subject: "Hello", body: "<p>Hello</p>" }

interface Project {
  readonly id: string
  readonly public: string
  readonly secret: string
}

/** Requests that each store something in a project, as a key and as a session make them. */
const writes = ({ id, public: publicKey, secret }: Project) => ({
  "POST /v1/send": () => it.api("POST /v1/send", { key: secret, body: mail }),
  "POST /v1/track": () =>
    it.api("POST /v1/track", { key: publicKey, body: { email: "bo@example.com", event: "seen" } }),
  "POST /contacts": () => it.api("POST /contacts", { key: secret, body: { email: "cy@example.com" } }),
  "POST /contacts by a session": () =>
    it.api("POST /contacts", {
      key: "none",
      body: { email: "di@example.com" },
      headers: { Cookie: cookieOf(owner), "X-Project-Id": id, "Sec-Fetch-Site": "same-origin" },
    }),
  "POST /segments": () => it.api("POST /segments", { key: secret, body: { name: "Static", type: "STATIC" } }),
  "POST /domains": () => it.api("POST /domains", { key: secret, body: { domain: "more.test" } }),
})

describe("A request that is under way while its project is deleted", () => {
  test.each(Object.keys(writes({ id: "", public: "", secret: "" })))(
    "is never a fault of the server: %s",
    async (name) => {
      const outcomes = new Set<string>()
      for (let round = 0; round < 8; round++) {
        const project: Project = (await owner.api("POST /users/@me/projects", { body: { name: "Short-lived" } })).body
        await it.app.domains.add(project.id, "races.test", { vouched: true })
        const write = writes(project)[name as keyof ReturnType<typeof writes>]
        const before = Array.from({ length: round }, write)
        const deletion = owner.api(`DELETE /users/@me/projects/${project.id}`)
        // Before, during and after the deletion, whose unit is some turns of the event loop away.
        const after = Array.from({ length: 6 }, async (_, turns) => {
          for (let turn = 0; turn < turns * round; turn++) await new Promise(setImmediate)
          return write()
        })
        const answers = await Promise.all([...before, ...after])
        expect((await deletion).status).toBe(200)
        for (const { status, body } of answers) outcomes.add(status < 300 ? "done" : `${status} ${body.error.code}`)
      }
      const refused = name.endsWith("session") ? "403 PROJECT_ACCESS_DENIED" : "401 INVALID_API_KEY"
      expect([...outcomes].filter((outcome) => !["done", refused, "409 CONFLICT"].includes(outcome))).toEqual([])
      expect([...outcomes]).toContain(refused)
      expect(it.complaints.filter(({ level }) => level === "error")).toEqual([])
    },
  )
})

describe("A change of a project by another request (contract B8.3)", () => {
  const made = async () =>
    (await owner.api("POST /users/@me/projects", { body: { name: "Changed" } })).body.id as string

  test.each([
    ["POST", "/reset"],
    ["POST", "/regenerate-keys"],
    ["PATCH", ""],
    ["DELETE", ""],
  ])("while it is deleted is refused, and nothing of the project stays: %s %s", async (method, path) => {
    const outcomes = new Set<string>()
    for (let round = 0; round < 5; round++) {
      const id = await made()
      await it.app.domains.add(id, "gone.test", { vouched: true })
      const change = () => owner.api(`${method} /users/@me/projects/${id}${path}`, { body: { name: "New" } })
      const [deletion, ...changes] = await Promise.all([
        owner.api(`DELETE /users/@me/projects/${id}`),
        ...Array.from({ length: 3 }, change),
      ])
      expect(deletion?.status).toBe(200)
      for (const { status, body } of changes) outcomes.add(status < 300 ? "done" : `${status} ${body.error.code}`)
      await it.settle()
      expect(await it.app.projects.find(id)).toBeUndefined()
    }
    expect([...outcomes]).toEqual(["403 PROJECT_ACCESS_DENIED"])
    const { id } = await it.app.domains.add(it.project.id, "gone.test", { vouched: true })
    expect((await it.api(`DELETE /domains/${id}`)).status).toBe(204)
  })

  test("does not show in the answer to a change", async () => {
    const route = `PATCH /users/@me/projects/${await made()}`
    const names = Array.from({ length: 10 }, (_, at) => `Name ${at}`)
    const answers = await Promise.all(names.map((name) => owner.api(route, { body: { name } })))
    expect(answers.map(({ body }) => body.name)).toEqual(names)
    const both = await Promise.all([true, false].map((disabled) => owner.api(route, { body: { disabled } })))
    expect(both.map(({ body }) => body.disabled)).toEqual([true, false])
  })
})

describe("Two admins who act on each other at once (contract B8.3.12, contract B8.3.13)", () => {
  type Person = Browser & { id: string }
  let people = 0
  async function twoAdmins(): Promise<{ id: string; ada: Person; bo: Person }> {
    const { id } = (await owner.api("POST /users/@me/projects", { body: { name: "Contested" } })).body
    const join = async () => {
      const email = `admin${people++}@example.com`
      const person = await signUp(it, email)
      await owner.api(`POST /projects/${id}/members`, { body: { email, role: "ADMIN" } })
      return person
    }
    return { id, ada: await join(), bo: await join() }
  }
  const demote = (by: Person, id: string, { id: other }: Person) =>
    by.api(`PATCH /projects/${id}/members/${other}`, { body: { role: "MEMBER" } })
  const remove = (by: Person, id: string, { id: other }: Person) => by.api(`DELETE /projects/${id}/members/${other}`)
  const answerOf = ({ status, body }: Awaited<ReturnType<typeof demote>>) =>
    status < 300 ? "done" : `${status} ${body.error.code}`

  test.each([
    ["demote", demote, demote, ["403 FORBIDDEN", "done"]],
    ["remove", remove, remove, ["403 PROJECT_ACCESS_DENIED", "done"]],
  ] as const)("succeeds for one of them: %s", async (_, first, second, wanted) => {
    const { id, ada, bo } = await twoAdmins()
    const answers = await Promise.all([first(ada, id, bo), second(bo, id, ada)])
    expect(answers.map(answerOf).sort()).toEqual([...wanted])
    const { body } = await owner.api(`GET /projects/${id}/members`)
    const admins = body.data.filter(({ role }: { role: string }) => role === "ADMIN")
    expect(admins).toHaveLength(1)
  })

  test("who was removed adds nobody with a request that was admitted before", async () => {
    const { id, ada, bo } = await twoAdmins()
    await bo.api("POST /users/@me/projects", { body: { name: "Of Bo" } })
    const body = { email: "friend@example.com" }
    await signUp(it, body.email)
    const [removed, added] = await Promise.all([remove(ada, id, bo), bo.api(`POST /projects/${id}/members`, { body })])
    expect([answerOf(removed), answerOf(added)]).toEqual(["done", "403 PROJECT_ACCESS_DENIED"])
  })
})

describe("A request whose body takes a second to arrive (contract A1.5.5)", () => {
  /** The request is admitted at once; `finish` sends the rest of its body, and resolves to what it is answered. */
  async function slowly(route: string, headers: Record<string, string>, body: object) {
    const text = JSON.stringify(body)
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const answer = it.api(route, {
      key: "none",
      raw: readable,
      headers: { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin", ...headers },
    })
    const writer = writable.getWriter()
    await writer.write(Buffer.from(text.slice(0, 1)))
    return async () => {
      await it.clock.advance(1_000)
      await writer.write(Buffer.from(text.slice(1)))
      await writer.close()
      const { status, body } = await answer
      return [status, body.error?.code]
    }
  }

  const cookie = (browser: Browser) => ({ Cookie: cookieOf(browser) })
  const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })

  test("is refused when key, session or membership ended meanwhile", async () => {
    const project: Project = (await owner.api("POST /users/@me/projects", { body: { name: "Slow" } })).body
    const [admin, member, leaver] = await Promise.all(
      ["admin", "member", "leaver"].map((name) => signUp(it, `slow-${name}@example.com`)),
    )
    if (!admin || !member || !leaver) throw new Error("Not all have signed up.")
    const add = (email: string, role: string) =>
      owner.api(`POST /projects/${project.id}/members`, { body: { email, role } })
    await add("slow-admin@example.com", "ADMIN")
    await add("slow-member@example.com", "MEMBER")
    const ofMember = { ...cookie(member), "X-Project-Id": project.id }
    const finish = [
      await slowly(`PATCH /users/@me/projects/${project.id}`, cookie(admin), { name: "Taken" }),
      await slowly(`POST /users/@me/projects/${project.id}/regenerate-keys`, cookie(admin), {}),
      await slowly("POST /contacts", ofMember, { email: "late@example.com" }),
      await slowly("POST /contacts", bearer(project.secret), { email: "late@example.com" }),
      await slowly("POST /v1/track", bearer(project.public), { email: "late@example.com", event: "late" }),
      await slowly("POST /users/@me/projects", cookie(leaver), { name: "Late" }),
    ]
    for (const { id } of [admin, member]) await owner.api(`DELETE /projects/${project.id}/members/${id}`)
    await owner.api(`POST /users/@me/projects/${project.id}/regenerate-keys`)
    await leaver.api("GET /auth/logout")
    const answers = []
    for (const one of finish) answers.push(await one())
    expect(answers).toEqual([
      [403, "PROJECT_ACCESS_DENIED"],
      [403, "PROJECT_ACCESS_DENIED"],
      [403, "PROJECT_ACCESS_DENIED"],
      [401, "INVALID_API_KEY"],
      [401, "INVALID_API_KEY"],
      [401, "UNAUTHORIZED"],
    ])
    await it.settle()
    const { data } = (await owner.api("GET /instance/requests?failed=true&limit=6")).body
    expect(data.map(({ projectId, key }: Record<string, unknown>) => [projectId, key])).toEqual(
      answers.map(() => [null, "none"]),
    )
  })
})

test("The owner of the sandbox, who is a member of no project, manages the members of all (contract A8.3.6)", async () => {
  const sandbox = await startTestApp({ mode: "sandbox" })
  try {
    await sandbox.app.accounts.createUser("ada@example.com", password)
    const headers = { Cookie: await sessionOfOwner(sandbox), "Sec-Fetch-Site": "same-origin", Host: "localhost:3000" }
    const path = `/projects/${sandbox.project.id}/members`
    const added = await sandbox.api(`POST ${path}`, { key: "none", headers, body: { email: "ada@example.com" } })
    expect(added.status).toBe(201)
    const one = `${path}/${added.body.data.userId}`
    const changed = await sandbox.api(`PATCH ${one}`, { key: "none", headers, body: { role: "ADMIN" } })
    expect([changed.status, changed.body.data.role]).toEqual([200, "ADMIN"])
    expect((await sandbox.api(`DELETE ${one}`, { key: "none", headers })).status).toBe(204)
    const left = await sandbox.api(`POST /users/@me/projects/${sandbox.project.id}/leave`, { key: "none", headers })
    expect([left.status, left.body.error.code]).toEqual([403, "FORBIDDEN"])
  } finally {
    await sandbox.close()
  }
})
