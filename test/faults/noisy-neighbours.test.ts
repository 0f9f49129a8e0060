import { afterEach, expect, test } from "bun:test"
import { createMessageParser } from "../../src/inbound/parse-aside.ts"
import { yieldToEventLoop } from "../../src/kernel/event-loop.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"

let it: TestApp | undefined
afterEach(() => it?.close())

/**
 * The most processor time of one turn of the event loop during the work: how long other requests had to wait,
 * independent of the load of the machine.
 */
async function longestTurn(work: Promise<unknown>): Promise<number> {
  let over = false
  const end = () => {
    over = true
  }
  work.then(end, end)
  let longest = 0
  for (let before = threadMs(); !over; before = threadMs()) {
    await yieldToEventLoop()
    longest = Math.max(longest, threadMs() - before)
  }
  return longest
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

test("previews with very many tags do not delay other requests", async () => {
  it = await startTestApp({ settings: { "limits.requests_per_minute": "0" } })
  const preview = (name: string) =>
    it?.api("POST /templates/preview", {
      body: { subject: "Hi", body: Array.from({ length: 40_000 }, () => `{{${name}}} `).join("") },
    })
  const answers = Promise.all([preview("a"), preview("b"), preview("nope nope")])
  expect(await longestTurn(answers)).toBeLessThan(250)
  const [one, , refused] = await answers
  expect([one?.status, one?.body.variables.missing]).toEqual([200, ["a"]])
  expect([refused?.status, refused?.body.error.errors[0].field]).toEqual([422, "body"])
  expect((await it.api("GET /health", { key: "none" })).status).toBe(200)
})

test("a large message in UTF-7 does not delay other requests", async () => {
  const parse = createMessageParser()
  const raw = Buffer.from(`Content-Type: text/plain; charset=utf-7\r\n\r\n${"+AOk- ".repeat(50_000)}`)
  const parsed = parse(raw, "acme")
  expect(await longestTurn(parsed)).toBeLessThan(250)
  expect((await parsed).text?.slice(0, 4)).toBe("é é ")
})
