import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type Browser, cookieOf, signUp } from "../harness/accounts.ts"
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
