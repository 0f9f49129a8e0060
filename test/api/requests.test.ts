import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type Browser, signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"

let it: TestApp
let owner: Browser
beforeAll(async () => {
  it = await startTestApp()
  owner = await signUp(it, "owner@acme.test")
  await it.settle()
})
afterAll(() => it.close())

interface Logged {
  readonly id: string
  readonly route: string
  readonly status: number
  readonly at: string
  readonly durationMs: number
}

const page = async (
  path: string,
  query = "",
): Promise<{ data: Logged[]; hasMore: boolean; total: number; cursor?: string }> =>
  (await owner.api(`GET ${path}/requests${query}`)).body

describe("The request log (contract B10.7)", () => {
  test("has method, route, status, duration and key of every request of the project, newest first", async () => {
    await it.api("POST /v1/track", { body: { email: "ada@example.com", event: "login" } })
    const { body: contact } = await it.api("POST /contacts", { body: { email: "bo@example.com" } })
    await it.api(`GET /contacts/${contact.id}?secret=1`)
    await it.api("GET /contacts/0199c0de-0000-7000-8000-ffffffffffff")
    await it.api("POST /contacts", { body: { email: 1 } })
    await it.settle()
    const { data, total } = await page(`/projects/${it.project.id}`)
    const one = {
      id: expect.any(String),
      projectId: it.project.id,
      at: expect.any(String),
      durationMs: expect.any(Number),
    }
    const expected = [
      { ...one, method: "POST", route: "/contacts", status: 422, key: "secret" },
      { ...one, method: "GET", route: "/contacts/:id", status: 404, key: "secret" },
      { ...one, method: "GET", route: "/contacts/:id", status: 200, key: "secret" },
      { ...one, method: "POST", route: "/contacts", status: 201, key: "secret" },
      { ...one, method: "POST", route: "/v1/track", status: 200, key: "public" },
    ] as unknown as Logged[]
    expect(data.slice(0, 5)).toEqual(expected)
    expect(total).toBe(data.length)
    expect(data.every(({ at, durationMs }) => Date.parse(at) === it.clock.now() && durationMs >= 0)).toBe(true)
  })

  test("is filtered by its outcome", async () => {
    await it.api("GET /contacts")
    await it.api("GET /contacts/0199c0de-0000-7000-8000-ffffffffffff")
    await it.settle()
    const path = `/projects/${it.project.id}`
    const statuses = async (query: string) => {
      const { data, total } = await page(path, query)
      expect(total).toBe(data.length)
      return data.map(({ status }) => status)
    }
    const all = await statuses("?limit=100")
    expect(await statuses("?limit=100&failed=true")).toEqual(all.filter((status) => status >= 400))
    const { data } = await page(path, "?limit=1&failed=false")
    expect(data).toMatchObject([{ status: 200 }])
    const first = await page("/instance", "?limit=1&failed=true")
    const second = await page("/instance", `?limit=1&failed=true&cursor=${first.cursor}`)
    expect([first, second].map(({ data: [one] }) => Number(one?.status) >= 400)).toEqual([true, true])
  })

  test("shows refused credentials to the owner of the server only, without a project", async () => {
    await it.api("GET /emails", { key: "sk_wrong" })
    await it.settle()
    const refused = { route: "/emails", status: 401, key: "none", projectId: null }
    expect((await page("/instance")).data[0]).toMatchObject(refused)
    expect((await page(`/projects/${it.project.id}`)).data).not.toContainEqual(expect.objectContaining(refused))
  })

  test("has no pages, files, images and public routes", async () => {
    await it.settle()
    const before = (await page("/instance")).total
    for (const path of ["/health", "/config", "/app", "/openapi.json", "/uploads/x.png", "/unsubscribe/x", "/nowhere"])
      await it.api(`GET ${path}`, { key: "none" })
    await it.settle()
    // The request for the list itself.
    expect((await page("/instance")).total).toBe(before + 1)
  })

  test("is read page by page", async () => {
    const all = (await page("/instance", "?limit=100")).data.map(({ id }) => id)
    const first = await page("/instance", "?limit=2")
    expect([first.data.length, first.hasMore]).toEqual([2, true])
    const second = await page("/instance", `?limit=2&cursor=${first.cursor}`)
    const seen = [...first.data, ...second.data].map(({ id }) => Number(id))
    expect(seen).toEqual(seen.toSorted((one, other) => other - one))
    expect(all).toContain(String(seen[3]))
    for (const parts of [
      ["abc", "1"],
      [1.5, "1"],
      ["1", "1"],
      [1, "x"],
    ]) {
      const cursor = Buffer.from(JSON.stringify(["request.desc", ...parts])).toString("base64url")
      expect([parts, (await owner.api(`GET /instance/requests?cursor=${cursor}`)).status]).toEqual([parts, 400])
    }
  })

  test("leaves out a project that was deleted before its entry was written, and goes with the project", async () => {
    const { body: project } = await owner.api("POST /users/@me/projects", { body: { name: "Short" } })
    await it.api("GET /contacts", { key: project.secret })
    await it.settle()
    const of = async () => (await page("/instance", "?limit=100")).data as unknown as { projectId: string | null }[]
    expect((await of()).filter(({ projectId }) => projectId === project.id)).toHaveLength(1)
    await it.api("GET /contacts", { key: project.secret })
    expect((await owner.api(`DELETE /users/@me/projects/${project.id}`)).status).toBe(200)
    await it.settle()
    expect((await of()).filter(({ projectId }) => projectId === project.id)).toEqual([])
    expect(it.complaints).toEqual([])
  })

  test("is off with 0 days (contract B10.2)", async () => {
    const quiet = await startTestApp({ settings: { "retention.request_log_days": "0" } })
    const reader = await signUp(quiet, "owner@acme.test")
    await quiet.api("GET /contacts")
    await quiet.settle()
    expect((await reader.api("GET /instance/requests")).body).toEqual({ data: [], hasMore: false, total: 0 })
    await quiet.close()
  })
})
