import { afterAll, beforeAll, expect, test } from "bun:test"
import { yieldToEventLoop } from "../../src/kernel/event-loop.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { countEffects, gained } from "../harness/scenarios.ts"

let it: TestApp
let renderedMs = 0
beforeAll(async () => {
  // Each look at the time of rendering takes some of it, on any machine.
  const overrides = { renderClock: () => (renderedMs += 0.01) }
  it = await startTestApp({ settings: { "limits.requests_per_minute": "0" }, overrides })
})
afterAll(() => it.close())

const recipients = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name}${at}@example.com`)
const from = "hi@acme.test"
const numbers = { value: Array.from({ length: 400 }, (_, at) => at), persistent: false }
/** Some milliseconds of rendering, different for each recipient. */
const slow = "{{email}}{{#each n}}{{#each @root.n}}{{#if (eq this 5)}}{{/if}}{{/each}}{{/each}}"

test("mail that renders slowly for many recipients is sent, and other requests are served meanwhile", async () => {
  const before = await countEffects(it)
  let sending = true
  const to = recipients(60, "slow")
  const answer = it
    .api("POST /v1/send", { body: { to, from, subject: "For {{email}}", body: slow, data: { n: numbers } } })
    .finally(() => {
      sending = false
    })
  let served = 0
  for (; sending; served++) {
    expect((await it.api("GET /health")).status).toBe(200)
    await yieldToEventLoop()
  }
  const { status, body } = await answer
  expect([status, body.data.emails.length]).toEqual([200, 60])
  expect(served).toBeGreaterThan(20)
  await it.settle()
  expect(gained(before, await countEffects(it))).toEqual({ events: { "email.sent": 60 }, mails: 60, contacts: 60 })
  expect(it.sent().map(({ subject, to: { address } }) => [subject, address])).toContainEqual([
    "For slow7@example.com",
    "slow7@example.com",
  ])
})

test("a concurrent change of a recipient is in the mail", async () => {
  const to = recipients(60, "other")
  const last = (await it.api("POST /contacts", { body: { email: to[59], data: { city: "Oslo" } } })).body.id
  const before = it.sent().length
  const answer = it.api("POST /v1/send", {
    body: { to, from, subject: "{{city ?? nowhere}}", body: slow, data: { n: numbers } },
  })
  // The request is checking bodies now.
  for (let turn = 0; turn < 20; turn++) await yieldToEventLoop()
  await it.api(`PATCH /contacts/${last}`, { body: { data: { city: "Bergen" } } })
  expect((await answer).status).toBe(200)
  await it.settle()
  const sent = it.sent().slice(before)
  expect(sent.find(({ to: { address } }) => address === to[59])?.subject).toBe("Bergen")
})

test("a large body without tags is checked once for all", async () => {
  const body = `<p>${"x".repeat(1_300_000)}</p>`
  const answer = await it.api("POST /v1/send", { body: { to: recipients(100, "large"), from, subject: "s", body } })
  expect(answer.status).toBe(200)
})
