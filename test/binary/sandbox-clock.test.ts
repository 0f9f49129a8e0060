import { afterEach, beforeEach, expect, test } from "bun:test"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { emptyPlace, type Place } from "./program.ts"

let place: Place
beforeEach(() => {
  place = emptyPlace()
})
afterEach(() => place.remove())

const day = 24 * 60 * 60 * 1_000

/** A sandbox with a manual clock, and its API. */
async function start(args: readonly string[]) {
  const options = ["--clock", "manual", "--port", "0", "--smtp-port", "0", ...args]
  const server = await place.start(["sandbox", ...options], /Stop with/)
  const url = /listening on (\S+)/.exec(server.printed)?.[1] ?? ""
  const api = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${path === "/v1/track" ? "pk" : "sk"}_sandbox`,
        "Content-Type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return response.json()
  }
  return { ...server, api }
}

test("the executable walks through a month in one request, and goes on there when it is started again", async () => {
  const data = join(place.folder, "month")
  mkdirSync(data)
  const { api, stop } = await start(["--data", data])
  const begun = Date.parse((await api("GET", "/sandbox/clock")).now)
  await api("POST", "/contacts", { email: "ada@example.com", subscribed: true })
  const mail = { body: "<p>Hello</p>", from: "hello@example.com", audienceType: "ALL" }
  for (const days of [29, 3, 12]) {
    const { data } = await api("POST", "/campaigns", { ...mail, name: `Day ${days}`, subject: `Day ${days}` })
    const scheduledFor = new Date(begun + days * day).toISOString()
    await api("POST", `/campaigns/${data.id}/send`, { scheduledFor })
  }
  await api("POST", "/v1/send", { ...mail, to: "defer@simulator.test", subject: "Deferred" })

  const answers = await Promise.all([15, 15].map((days) => api("POST", "/sandbox/clock", { advance: `${days}d` })))
  const sent = answers
    .flatMap(({ happened }) => happened)
    .filter(({ what }) => what === "email")
    .map(({ at, subject }) => [subject, (Date.parse(at) - begun) / day])
  expect(sent).toEqual([
    ["Deferred", 6 / (24 * 60)],
    ["Day 3", 3],
    ["Day 12", 12],
    ["Day 29", 29],
  ])
  expect(answers.map(({ complete }) => complete)).toEqual([true, true])
  expect(await stop()).toBe(0)

  const again = await start(["--data", data])
  expect(Date.parse((await again.api("GET", "/sandbox/clock")).now)).toBe(begun + 30 * day)
  expect(await again.stop()).toBe(0)
})

test("the executable walks a workflow of 30 days in a second", async () => {
  const { api, stop } = await start([])
  const begun = Date.parse((await api("GET", "/sandbox/clock")).now)
  const workflow = await api("POST", "/workflows", { name: "Drip", eventName: "signup" })
  const add = (type: string, config: object) =>
    api("POST", `/workflows/${workflow.id}/steps`, { type, name: type, config })
  for (const days of [1, 9, 20]) {
    await add("DELAY", { amount: days, unit: "days" })
    const mail = { name: "Mail", subject: `After ${days}`, body: "<p>Hello</p>", from: "hello@example.com" }
    await add("SEND_EMAIL", { templateId: (await api("POST", "/templates", mail)).id })
  }
  await api("PATCH", `/workflows/${workflow.id}`, { enabled: true })
  await api("POST", "/v1/track", { event: "signup", email: "ada@example.com", subscribed: true })

  const asked = performance.now()
  const { happened, steps } = await api("POST", "/sandbox/clock", { advance: "30d" })
  const tookMs = performance.now() - asked
  const mails = happened.filter(({ what }: { what: string }) => what === "email")
  expect(
    mails.map(({ at, subject }: { at: string; subject: string }) => [subject, (Date.parse(at) - begun) / day]),
  ).toEqual([
    ["After 1", 1],
    ["After 9", 10],
    ["After 20", 30],
  ])
  // Of the six steps after the trigger, the first may be started before the turn.
  expect([steps >= 5, tookMs < 10_000]).toEqual([true, true])
  expect(await stop()).toBe(0)
})

test("a manual clock is for the sandbox only", async () => {
  const { code, stderr } = await place.run(["serve", "--port", "0"], { MAILSTEAD_SANDBOX_CLOCK: "manual" })
  expect([code, stderr]).toEqual([2, expect.stringContaining("sandbox.clock")])
  const wrong = await place.run(["sandbox", "--clock", "slow"])
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("expected one of system, manual")])
})
