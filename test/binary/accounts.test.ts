import { afterEach, beforeEach, expect, test } from "bun:test"
import { emptyPlace, type Place } from "./program.ts"

let place: Place
beforeEach(() => {
  place = emptyPlace()
})
afterEach(() => place.remove())

test("From an empty folder to the first mail: start, printed link, account, project, mail", async () => {
  const server = await place.start(["serve", "--port", "0"], /app\/setup\?token=\S+\n/)
  try {
    const [base = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(server.printed) ?? []
    const [link = ""] = /http:\S+\/app\/setup\?token=\S+/.exec(server.printed) ?? []
    const setupToken = new URL(link).searchParams.get("token")
    const cookies = new Map<string, string>()
    const call = async (route: string, body?: unknown, headers: Record<string, string> = {}) => {
      const [method = "", path = ""] = route.split(" ")
      const answer = await fetch(`${base}${path}`, {
        method,
        headers: {
          "Content-Type": "application/json",
          "Sec-Fetch-Site": "same-origin",
          ...(cookies.size > 0 && !headers.Authorization
            ? { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") }
            : {}),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      for (const line of answer.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        cookies.set(name, value)
      }
      const text = await answer.text()
      return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) }
    }

    expect((await fetch(link)).status).toBe(200)
    const credentials = { email: "ada@example.com", password: "correct horse battery" }
    const far = { "X-Forwarded-For": "203.0.113.7" }
    expect((await call("POST /auth/signup", credentials, far)).status).toBe(403)
    expect((await call("POST /auth/signup", { ...credentials, setupToken }, far)).status).toBe(201)
    expect((await call("GET /users/@me")).body).toMatchObject({ email: "ada@example.com", type: "OWNER" })

    const project = (await call("POST /users/@me/projects", { name: "First" })).body
    const added = await place.run(["domain", "add", "acme.test", "--project", project.id, "--verified"])
    expect(added.code).toBe(0)
    const mail = { to: "bo@example.com", from: "hi@acme.test", subject: "First", body: "<p>Hello</p>" }
    const sent = await call("POST /v1/send", mail, { Authorization: `Bearer ${project.secret}` })
    expect([sent.status, sent.body.success]).toEqual([200, true])
    const seen = await call("GET /emails", undefined, { "X-Project-Id": project.id })
    expect(seen.body.data[0]).toMatchObject({ subject: "First", to: "bo@example.com" })

    const again = await place.run(["setup-link"])
    expect([again.code, again.stdout]).toEqual([1, ""])
  } finally {
    expect(await server.stop()).toBe(0)
  }
}, 110_000)

test("A server that has an account prints no link", async () => {
  expect((await place.run(["user", "create", "ada@example.com"])).code).toBe(0)
  const server = await place.start(["serve", "--port", "0"], /leaves this machine\.\n|captured/)
  expect(server.printed).not.toContain("token=")
  expect(await server.stop()).toBe(0)
})
