import { afterAll, beforeAll, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

test.each(["x", "abc", "abcd", "m:8080", "mail.example.com"])("a server is reached under the name %s", async (host) => {
  const { status } = await it.app.fetch(new Request(`http://${host}/health`))
  expect(status).toBe(200)
})

test("a body sent to a short host name arrives completely", async () => {
  const answer = await it.app.fetch(
    new Request("http://m/v1/track", {
      method: "POST",
      headers: { Authorization: `Bearer ${it.project.publicKey}`, "Content-Type": "application/json" },
      body: JSON.stringify({ email: "ada@example.com", event: "visit" }),
    }),
  )
  expect(answer.status).toBe(200)
})
