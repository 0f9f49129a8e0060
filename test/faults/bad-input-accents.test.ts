import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { newBrowser } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { workedMs } from "../harness/processor-time.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

/** A letter with accents that Unicode orders by insertion, each of the second half before all of the first. */
const letter = (accents: number) => `a${"\u0301".repeat(accents / 2)}${"\u0323".repeat(accents / 2)}`

/** What takes seconds when the accents are ordered. */
async function isQuick<T>(work: () => Promise<T>): Promise<T> {
  const before = workedMs()
  const result = await work()
  expect(workedMs() - before).toBeLessThan(4_000)
  return result
}

describe("A letter with thousands of accents does not hold up the server", () => {
  test.each(["login", "signup", "request-password-reset"])("in an address, POST /auth/%s", async (path) => {
    const body = { email: `a@${letter(30_000)}.test`, password: "a staple" }
    const answer = await isQuick(() => newBrowser(it).api(`POST /auth/${path}`, { body }))
    expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"])
  })

  test("an address of more than 254 characters as it is written is none (contract A1.2.6)", async () => {
    const statusOf = async (labels: number) => {
      const domain = `${"u\u0308".repeat(25)}.`.repeat(labels)
      return (await it.api("POST /contacts", { body: { email: `${"b".repeat(64)}@${domain}test` } })).status
    }
    expect([await statusOf(3), await statusOf(4)]).toEqual([201, 422])
  })

  test("in a password", async () => {
    const body = { email: "ada@example.com", password: letter(30_000) }
    expect((await isQuick(() => newBrowser(it).api("POST /auth/login", { body }))).status).toBe(401)
    const refused = await isQuick(() => newBrowser(it).api("POST /auth/signup", { body }))
    expect(refused.body.error.errors).toMatchObject([{ field: "password", code: "too_big" }])
  })

  const email = `a@${letter(30_000)}.test`
  test.each([
    ["POST /v1/track", { email, event: "x" }, 422],
    ["POST /v1/send", { to: email, subject: "Hi", body: "Hello" }, 422],
    ["POST /v1/verify", { email }, 422],
    ["POST /contacts", { email }, 422],
    ["POST /contacts/lookup", { emails: [email] }, 200],
  ] as const)("in an address, %s", async (route, body, status) => {
    expect((await isQuick(() => it.api(route, { body }))).status).toBe(status)
  })

  test("in the address of a webhook", async () => {
    const workflow = { name: "Hooks", triggerType: "EVENT", triggerConfig: { eventName: "go" } }
    const { id } = (await it.api("POST /workflows", { body: workflow })).body
    const config = { url: `https://${letter(30_000)}.test/`, method: "POST" }
    const body = { type: "WEBHOOK", name: "Call", position: { x: 0, y: 0 }, config }
    const { status, body: refused } = await isQuick(() => it.api(`POST /workflows/${id}/steps`, { body }))
    expect(status).toBe(422)
    expect(refused.error.errors).toMatchObject([{ field: "config.url", code: "invalid_string" }])
  })
})
