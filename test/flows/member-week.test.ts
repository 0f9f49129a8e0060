import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type Browser, signIn, signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"

describe("A week of a member", () => {
  let it: TestApp
  let owner: Browser
  let bo: Browser & { id: string }
  let project: { id: string; secret: string }

  beforeAll(async () => {
    it = await startTestApp()
    owner = await signUp(it, "owner@acme.test")
    bo = await signUp(it, "bo@example.com")
    project = (await owner.api("POST /users/@me/projects", { body: { name: "Shop" } })).body
    await it.app.domains.add(project.id, "shop.test", { vouched: true })
  })
  afterAll(() => it.close())

  const userPath = () => `/users/@me/projects/${project.id}`
  const projectPath = () => `/projects/${project.id}`
  const outcome = async (browser: Browser, route: string, body?: unknown) => {
    const answer = await browser.api(route, { ...(body === undefined ? {} : { body }), project: project.id })
    return answer.body?.error?.code ?? answer.status
  }
  const mail = { from: "hi@shop.test", subject: "Hello", body: '<p><a href="https://example.com/">Shop</a></p>' }
  const sendTo = async (to: string) => {
    const { status } = await it.api("POST /v1/send", { key: project.secret, body: { ...mail, to } })
    expect(status).toBe(200)
    await it.settle()
    return it.sent().at(-1)
  }

  test("Monday: a new member can use the project, but not its secret key and settings", async () => {
    expect(await outcome(bo, "GET /contacts")).toBe("PROJECT_ACCESS_DENIED")
    expect(await outcome(owner, `POST ${projectPath()}/members`, { email: "Bo@Example.com" })).toBe(201)
    expect(await outcome(owner, `POST ${projectPath()}/members`, { email: "bo@example.com" })).toBe("CONFLICT")
    expect((await bo.api("GET /users/@me/projects")).body).toMatchObject([
      { id: project.id, role: "MEMBER", secret: null },
    ])
    expect(await outcome(bo, "POST /contacts", { email: "ada@example.com" })).toBe(201)
    expect(await outcome(bo, `PATCH ${userPath()}`, { name: "Mine" })).toBe("FORBIDDEN")
    expect(await outcome(bo, `POST ${projectPath()}/members`, { email: "bo@example.com" })).toBe("FORBIDDEN")
    expect(await outcome(bo, `PATCH ${projectPath()}/members/${bo.id}`, { role: "ADMIN" })).toBe("FORBIDDEN")
  })

  test("Tuesday: as an admin they set the tracking and the language (contract A7.3.1, A7.5)", async () => {
    await it.advance({ days: 1 })
    expect(await outcome(owner, `PATCH ${projectPath()}/members/${bo.id}`, { role: "ADMIN" })).toBe(200)
    expect((await sendTo("one@example.com"))?.html).toMatch(/\/t\/c\//)
    expect(await outcome(bo, `PATCH ${userPath()}`, { tracking: "MARKETING_ONLY", language: "de" })).toBe(200)
    expect((await sendTo("two@example.com"))?.html).not.toMatch(/\/t\/[oc]\//)

    const campaign = { ...mail, name: "News", type: "MARKETING", audienceType: "ALL" }
    expect(await outcome(bo, "POST /contacts", { email: "reader@example.com", subscribed: true })).toBe(201)
    const { body } = await bo.api("POST /campaigns", { project: project.id, body: campaign })
    await bo.api(`POST /campaigns/${body.data?.id ?? body.id}/send`, { project: project.id, body: {} })
    await it.advance({ minutes: 1 })
    const left = it.sent().find(({ to }) => to.address === "reader@example.com")
    expect(left?.html).toMatch(/\/t\/c\//)
    expect(left?.html).toContain('lang="de"')

    expect(await outcome(bo, `PATCH ${userPath()}`, { tracking: "DISABLED" })).toBe(200)
    expect((await sendTo("three@example.com"))?.html).not.toMatch(/\/t\/[oc]\//)
  })

  test("Wednesday: they rotate the keys, and the old ones are invalid from the next request on", async () => {
    const old = project.secret
    const { body } = await bo.api(`POST ${userPath()}/regenerate-keys`)
    project = body
    expect(body.secret).not.toBe(old)
    expect((await it.api("GET /contacts", { key: old })).body.error.code).toBe("INVALID_API_KEY")
    expect((await it.api("GET /contacts", { key: project.secret })).status).toBe(200)
  })

  test("Thursday: the project is disabled, so that they can read but not change it, and enabled again", async () => {
    expect(await outcome(bo, `PATCH ${userPath()}`, { disabled: true })).toBe("FORBIDDEN")
    expect((await owner.api(`PATCH ${userPath()}`, { body: { disabled: true } })).body).toMatchObject({
      disabled: true,
      disabledReason: "MANUAL",
    })
    expect(await outcome(bo, "GET /contacts")).toBe(200)
    expect(await outcome(bo, "POST /contacts", { email: "late@example.com" })).toBe("PROJECT_DISABLED")
    expect((await it.api("GET /contacts", { key: project.secret })).body.error.code).toBe("PROJECT_DISABLED")
    expect(await outcome(owner, "POST /users/@me/projects", { name: "Another" })).toBe("PROJECT_DISABLED")
    expect((await owner.api(`PATCH ${userPath()}`, { body: { disabled: false } })).body.disabledReason).toBeNull()
    expect(await outcome(bo, "POST /contacts", { email: "late@example.com" })).toBe(201)
  })

  test("Friday: they cannot remove the owner, and are removed, which applies from the next request on", async () => {
    const [{ userId }] = (await owner.api(`GET ${projectPath()}/members`)).body.data
    expect(await outcome(bo, `DELETE ${projectPath()}/members/${userId}`)).toBe("FORBIDDEN")
    expect(await outcome(owner, `DELETE ${projectPath()}/members/${bo.id}`)).toBe(204)
    for (const route of ["GET /contacts", `GET ${projectPath()}/members`, `GET ${userPath()}/security`])
      expect(await outcome(bo, route)).toBe("PROJECT_ACCESS_DENIED")
    expect((await bo.api("GET /users/@me")).status).toBe(200)
    await owner.api(`POST ${projectPath()}/members`, { body: { email: "bo@example.com" } })
    expect(await outcome(bo, `POST ${userPath()}/leave`)).toBe(204)
    expect(await outcome(owner, `POST ${userPath()}/leave`)).toBe("FORBIDDEN")
    expect((await bo.api("GET /users/@me/projects")).body).toEqual([])
  })

  test("Sunday: the session of Monday ends after 7 days, and no sooner", async () => {
    await it.advance({ days: 5, hours: 23 })
    expect((await bo.api("GET /users/@me")).status).toBe(200)
    await it.advance({ hours: 1 })
    expect((await bo.api("GET /users/@me")).body.error.code).toBe("UNAUTHORIZED")
    expect((await (await signIn(it, "bo@example.com")).api("GET /users/@me")).status).toBe(200)
  })
})

test("what happens to a member in one project changes nothing in another (contract B8.3.12, B8.3.13)", async () => {
  const it = await startTestApp()
  const owner = await signUp(it, "owner@acme.test")
  const bo = await signUp(it, "bo@example.com")
  const make = async (name: string) => {
    const { id } = (await owner.api("POST /users/@me/projects", { body: { name } })).body
    await owner.api(`POST /projects/${id}/members`, { body: { email: "bo@example.com" } })
    return id as string
  }
  const [shop, blog] = [await make("Shop"), await make("Blog")]
  const roles = async () =>
    (await bo.api("GET /users/@me/projects")).body.map(({ id, role }: { id: string; role: string }) => [id, role])
  await owner.api(`PATCH /projects/${shop}/members/${bo.id}`, { body: { role: "ADMIN" } })
  expect(await roles()).toEqual([
    [shop, "ADMIN"],
    [blog, "MEMBER"],
  ])
  await owner.api(`DELETE /projects/${shop}/members/${bo.id}`)
  expect(await roles()).toEqual([[blog, "MEMBER"]])
  await it.close()
})
