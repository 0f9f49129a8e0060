import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { fstatSync } from "node:fs"
import { sql } from "drizzle-orm"
import fc from "fast-check"
import { logTo } from "../../src/commands/logging.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { runLine } from "../harness/commands.ts"

describe.each(["json", "text"] as const)("the lines of requests as %s (contract A8.4)", (format) => {
  let it: TestApp
  let written = ""
  beforeAll(async () => {
    const log = logTo({ stderr: (text) => (written += text), env: {} }, { level: "debug", format })
    it = await startTestApp({ overrides: { log } })
  })
  afterAll(() => it.close())

  const ask = async (path: string, init: RequestInit = {}) => {
    written = ""
    const response = await it.app.fetch(new Request(`http://localhost${path}`, init), "192.0.2.77")
    await response.text()
    return response
  }

  test("name request, route, status, duration and project", async () => {
    const headers = { Authorization: `Bearer ${it.project.secret}`, "X-Request-ID": "my-id" }
    await ask("/contacts/0199c0de-0000-7000-8000-000000000001?search=x", { headers })
    const lines = written.trim().split("\n")
    expect(lines).toHaveLength(1)
    const fields = { requestId: "my-id", method: "GET", route: "/contacts/:id", status: 404 }
    if (format === "json") {
      const [line] = lines.map((line) => JSON.parse(line))
      expect(line).toEqual({
        ...fields,
        at: expect.any(String),
        level: "debug",
        message: "Request",
        ms: expect.any(Number),
        projectId: it.project.id,
      })
    } else {
      const text = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
      expect(lines[0]).toMatch(/^\S+Z debug Request /)
      for (const each of [...text, `projectId=${it.project.id}`]) expect(lines[0]).toContain(each)
    }
  })

  test("hold nothing that a client has sent", async () => {
    const routes = ["/v1/track", "/v1/send", "/contacts", "/templates", "/emails", "/auth/login", "/unknown", "/health"]
    const secret = fc.stringMatching(/^[a-z0-9]{12,20}$/).map((text) => `sEcReT${text}`)
    await fc.assert(
      fc.asyncProperty(secret, fc.constantFrom(...routes), fc.boolean(), async (word, route, keyed) => {
        const key = route === "/v1/track" ? it.project.publicKey : it.project.secret
        const response = await ask(`${route}/${word}?q=${word}`, { headers: { Authorization: `Bearer sk_${word}` } })
        expect(response.status).toBeGreaterThanOrEqual(400)
        expect(written).not.toMatch(/secret/i)
        await ask(route, {
          method: "POST",
          headers: {
            Authorization: keyed ? `Bearer ${key}` : `Bearer sk_${word}`,
            Cookie: `mailstead_session=${word}`,
            "User-Agent": word,
            "Idempotency-Key": word,
          },
          body: JSON.stringify({
            email: `${word}@example.com`,
            password: word,
            to: word,
            event: word,
            data: { a: word },
          }),
        })
        expect(written).not.toBe("")
        expect(written.toLowerCase()).not.toContain(word.toLowerCase())
        for (const hidden of [it.project.secret, it.project.publicKey, "192.0.2.77", "example.com", "Bearer"])
          expect(written).not.toContain(hidden)
      }),
      { numRuns: 60 },
    )
  })

  test("say why a request failed, without the values of its query", async () => {
    await it.app.store.write(
      "instance",
      async (unit) => void (await unit.db.run(sql`ALTER TABLE contact RENAME TO gone`)),
    )
    const response = await ask("/contacts", {
      method: "POST",
      headers: { Authorization: `Bearer ${it.project.secret}`, "Content-Type": "application/json" },
      body: JSON.stringify({ email: "hidden@example.com" }),
    })
    expect(response.status).toBe(500)
    expect(written).toContain("no such table")
    expect(written).toContain("/contacts")
    expect(written).not.toContain("hidden")
    await it.app.store.write(
      "instance",
      async (unit) => void (await unit.db.run(sql`ALTER TABLE gone RENAME TO contact`)),
    )
  })
})

test("lines of requests are written at debug, and at info when the server failed", async () => {
  let written = ""
  const log = logTo({ stderr: (text) => (written += text), env: {} }, { level: "info", format: "text" })
  const it = await startTestApp({ overrides: { log } })
  await it.api("GET /contacts")
  expect(written).not.toContain("Request")
  await it.app.store.close()
  expect((await it.api("GET /health")).status).toBe(503)
  expect(written).toMatch(/info {2}Request .*route=\/health status=503/)
  await it.close()
})

test("a message that quotes several lines is one line as text", () => {
  let written = ""
  const log = logTo({ stderr: (text) => (written += text), env: {} }, { level: "info", format: "text" })
  log.error("transport own: it failed: refused\r\n2026-01-31T09:15:00.000Z info  All is well\u2028", { reason: "a\nb" })
  expect(written).toMatch(
    /^\S+Z error transport own: it failed: refused 2026\S+Z info {2}All is well {2}reason="a\\nb"\n$/,
  )
})

describe("where standard error is the journal of systemd (contract A8.4)", () => {
  const { dev, ino } = fstatSync(2)
  const journal = { JOURNAL_STREAM: `${dev}:${ino}` }
  const written = (env: Record<string, string>, format: "text" | "json") => {
    let text = ""
    const log = logTo({ stderr: (line) => (text += line), env }, { level: "debug", format })
    for (const level of ["debug", "info", "warn", "error"] as const) log[level]("It is so")
    return text.trimEnd().split("\n")
  }

  test.each(["text", "json"] as const)("a record as %s begins with its priority", (format) => {
    const lines = written(journal, format)
    expect(lines.map((line) => line.slice(0, 3))).toEqual(["<7>", "<6>", "<4>", "<3>"])
    expect(lines[3]).toMatch(format === "json" ? /^<3>\{.*\}$/ : /^<3>\S+Z error It is so$/)
  })

  test("each line of the reason for which a command ends is an error", async () => {
    const { stderr } = await runLine(["serve", "--port", "x", "--host", "a b"], { env: journal })
    expect(stderr).toStartWith("<3>mailstead: ")
    expect(stderr.trimEnd().split("\n")).toSatisfy(
      (lines) => lines.length > 1 && lines.every((line) => line.startsWith("<3>")),
    )
  })

  test.each([{}, { JOURNAL_STREAM: `${dev}:${ino + 1}` }])("not where it is something else: %p", async (env) => {
    expect(written(env, "text")[0]).toMatch(/^\d/)
    expect((await runLine(["serve", "--port", "x"], { env })).stderr).toStartWith("mailstead: ")
  })
})
