import { afterAll, beforeAll, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"

let it: TestApp

beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

test("a mail accepted by the API is sent through the transport and listed", async () => {
  const accepted = await it.api("POST /v1/send", {
    body: {
      to: "Ada@Example.com",
      from: "hi@acme.test",
      subject: "Hi {{name ?? there}}",
      body: "<p>{{plan}}</p>",
      data: { plan: "<pro>" },
    },
  })
  expect(accepted.status).toBe(200)
  const [{ email, contact }] = accepted.body.data.emails
  expect(contact.email).toBe("ada@example.com")
  expect((await it.api(`GET /emails/${email}`)).body.status).toBe("PENDING")

  await it.settle()
  expect(it.sent().map(({ subject, to, html }) => [subject, to.address, html.includes("&lt;pro&gt;")])).toEqual([
    ["Hi there", "ada@example.com", true],
  ])
  const { body } = await it.api(`GET /emails/${email}`)
  expect(body).toMatchObject({ status: "SENT", sentAt: "2026-01-31T09:15:00.000Z", subject: "Hi there" })
})

test("an event tracked for an unknown address creates the contact", async () => {
  const tracked = await it.api("POST /v1/track", {
    body: { email: "bo@example.com", event: "signup", data: { plan: "team" } },
  })
  expect(tracked.status).toBe(200)
  const contact = await it.api(`GET /contacts/${tracked.body.data.contact}`)
  expect(contact.body).toMatchObject({ email: "bo@example.com", subscribed: true, data: { plan: "team" } })
})
