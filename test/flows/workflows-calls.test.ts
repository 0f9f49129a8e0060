import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import { createServer } from "node:http"
import { type AddressInfo, createServer as createTcpServer } from "node:net"
import { day, hour, minute, second } from "../../src/kernel/clock.ts"
import { leaseMs } from "../../src/modules/workflows/engine/calls.ts"
import { callTable } from "../../src/modules/workflows/table.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { refuseChanges } from "../harness/refused-changes.ts"
import { until } from "../harness/store.ts"
import { createWorkflow, inRow, steps, traces } from "../harness/workflows.ts"

/** The requests of WEBHOOK steps, their leases and the clock (contract B5.7, B5.8). */

const hook = { status: 200, keys: [] as (string | null)[], gate: Promise.resolve() }
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    hook.keys.push(request.headers.get("Idempotency-Key"))
    await hook.gate
    return new Response("ok", { status: hook.status })
  },
})

let it: TestApp
beforeAll(async () => {
  it = await startTestApp({ settings: { "webhooks.allow": "127.0.0.1" } })
})
afterEach(() => Object.assign(hook, { status: 200, keys: [], gate: Promise.resolve() }))
afterAll(async () => {
  server.stop(true)
  await it.close()
})

let events = 0

/** A workflow that calls the server, and what sends its event. */
async function calling() {
  const name = `call.${++events}`
  const flow = await createWorkflow(it, name, inRow(steps.webhook({ url: `http://127.0.0.1:${server.port}/` })))
  const track = (email: string) => it.api("POST /v1/track", { body: { event: name, email } })
  return { flow, track }
}

const worker = () => it.app.modules.find(({ name }) => name === "workflows")?.worker

test.each([
  ["forward past its lease", leaseMs + second],
  ["back by a day", -day],
])("a request that is under way is not made again when the clock is set %s", async (_, ms) => {
  const { flow, track } = await calling()
  const answer = Promise.withResolvers<void>()
  hook.gate = answer.promise
  await track("ada@example.com")
  const first = it.settle()
  await until(() => hook.keys.length === 1)
  it.clock.jump(ms)
  await track("bo@example.com")
  const next = it.settle()
  await until(() => new Set(hook.keys).size === 2)
  answer.resolve()
  await Promise.all([first, next])
  expect(await traces(it, flow)).toEqual(["T H; COMPLETED", "T H; COMPLETED"])
  expect(hook.keys).toHaveLength(2)
})

test("a redirect to another origin takes along what was added, and no header of the config (contract B5.8.2, B5.8.3)", async () => {
  const seen: (string | null)[][] = []
  const names = ["Content-Type", "Idempotency-Key", "X-Tag"]
  const redirecting = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => Response.redirect(`http://127.0.0.1:${target.port}/`, 307),
  })
  const target = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch({ headers }) {
      seen.push(names.map((name) => headers.get(name)))
      return new Response("ok")
    },
  })
  const config = { url: `http://127.0.0.1:${redirecting.port}/`, headers: { "X-Tag": "a" } }
  const flow = await createWorkflow(it, "call.redirected", inRow(steps.webhook(config)))
  await it.api("POST /v1/track", { body: { event: "call.redirected", email: "ada@example.com" } })
  await it.settle()
  await Promise.all([redirecting.stop(true), target.stop(true)])
  const { data } = (await it.api(`GET /workflows/${flow.id}/executions`)).body
  const { stepExecutions } = (await it.api(`GET /workflows/${flow.id}/executions/${data[0].id}`)).body
  expect(seen).toEqual([["application/json", stepExecutions[1].id, null]])
})

test("header values arrive in UTF-8, those of the config and those of the contact (contract B5.8.6)", async () => {
  const seen: (string | undefined)[] = []
  // The server reads each byte as one character.
  const target = createServer(({ headers }, response) => {
    for (const name of ["x-shop", "x-name"]) seen.push(Buffer.from(String(headers[name]), "latin1").toString())
    response.end("ok")
  })
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve))
  const { port } = target.address() as AddressInfo
  const config = { url: `http://127.0.0.1:${port}/`, headers: { "X-Shop": "Grüße, 5 €", "X-Name": "{{data.name}}" } }
  const both = inRow(steps.webhook(config), steps.webhook({ ...config, method: "GET" }))
  const flow = await createWorkflow(it, "call.named", both)
  const body = { event: "call.named", email: "ada@example.com", data: { name: "Łukasz 漢 😀" } }
  await it.api("POST /v1/track", { body })
  await it.settle()
  target.close()
  const sent = ["Grüße, 5 €", "Łukasz 漢 😀"]
  expect([await traces(it, flow), seen]).toEqual([["T H H; COMPLETED"], [...sent, ...sent]])
})

test.each([
  ["before it begins", "", "There was no answer"],
  ["after its status line", "HTTP/1.1 200 OK\r\n", "The answer broke off"],
  ["after its head", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", "The answer broke off"],
  ["in its body", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", "The answer broke off"],
  ["in a chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf", "The answer broke off"],
])(
  "an answer that is cut off %s is asked for again, and told as that in the end (contract B5.8.3)",
  async (at, sent, is) => {
    let attempts = 0
    const target = createTcpServer((socket) => {
      attempts++
      socket.once("data", () => socket.end(sent))
    })
    await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve))
    const { port } = target.address() as AddressInfo
    const event = `call.cut.${at.replaceAll(" ", ".")}`
    const flow = await createWorkflow(it, event, inRow(steps.webhook({ url: `http://127.0.0.1:${port}/` })))
    await it.api("POST /v1/track", { body: { event, email: "ada@example.com" } })
    await it.settle()
    for (const pause of [5, 30, 120]) await it.advance({ seconds: pause })
    target.close()
    const { data } = (await it.api(`GET /workflows/${flow.id}/executions`)).body
    const { stepExecutions } = (await it.api(`GET /workflows/${flow.id}/executions/${data[0].id}`)).body
    const reason = `${is}: the host, or a proxy before it, closed the connection; its log may say why.`
    expect([attempts, stepExecutions[1].status, stepExecutions[1].error]).toEqual([4, "FAILED", reason])
  },
)

test("a request ends with its own execution, when that is cancelled, and no other one does (contract B5.6.8, B5.6.10)", async () => {
  const { flow, track } = await calling()
  hook.status = 500
  for (const email of ["ada@example.com", "bo@example.com"]) await track(email)
  await it.settle()
  const [latest] = (await it.api(`GET /workflows/${flow.id}/executions`)).body.data
  await it.api(`DELETE /workflows/${flow.id}/executions/${latest.id}`)
  hook.status = 200
  await it.advance({ hours: 1 })
  expect(hook.keys.length).toBe(3)
  expect(await traces(it, flow)).toEqual(["T H; COMPLETED", "T H(SKIPPED); CANCELLED cancelled"])
})

test("an answer that is longer than the length it tells is taken, and not asked for again (contract B5.8.4)", async () => {
  let attempts = 0
  const target = createTcpServer((socket) => {
    attempts++
    // The length in characters, as programs tell it that do not count bytes.
    socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfünf"))
  })
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve))
  const { port } = target.address() as AddressInfo
  const webhook = steps.webhook({ url: `http://127.0.0.1:${port}/` })
  const flow = await createWorkflow(it, "call.long", inRow(webhook))
  await it.api("POST /v1/track", { body: { event: "call.long", email: "ada@example.com" } })
  await it.settle()
  target.close()
  expect([await traces(it, flow), attempts]).toEqual([["T H; COMPLETED"], 1])
})

test("a request whose answer could not be stored is made again when its lease lapses, without another commit", async () => {
  const { flow, track } = await calling()
  const answer = Promise.withResolvers<void>()
  hook.gate = answer.promise
  await track("ada@example.com")
  await it.app.bus.drain()
  const loop = worker()?.loop
  loop?.start()
  await until(() => hook.keys.length === 1)
  const accept = await refuseChanges(it.app.store, { change: "UPDATE", table: "workflow_execution" })
  const complaints = it.complaints.length
  answer.resolve()
  await until(() => it.complaints.length > complaints)
  await accept()
  for (let passed = 0; passed <= leaseMs + minute && hook.keys.length < 2; passed += second) {
    await it.clock.advance(second)
    for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate)
  }
  await until(() => hook.keys.length === 2)
  expect([hook.keys.length, new Set(hook.keys).size]).toEqual([2, 1])
  await loop?.stop()
  await it.settle()
  expect(await traces(it, flow)).toEqual(["T H; COMPLETED"])
})

test.each([minute * 10, hour, day])(
  "the next attempt of a request comes after the longest pause when the clock is set back by %p ms",
  async (ms) => {
    const { flow, track } = await calling()
    hook.status = 500
    await track("ada@example.com")
    await it.settle()
    await it.advance({ seconds: 5 })
    await it.advance({ seconds: 30 })
    expect(hook.keys).toHaveLength(3)
    it.clock.jump(-ms)
    hook.status = 200
    await it.settle()
    await it.advance({ minutes: 2 })
    expect(await traces(it, flow)).toEqual(["T H; COMPLETED"])
    expect(hook.keys).toHaveLength(4)
  },
)

test("the lease of another node on a request lasts as long as one that begins when the clock is set back", async () => {
  const { track } = await calling()
  hook.status = 500
  await track("ada@example.com")
  await it.settle()
  const leased = { leaseOwner: "0199c0de-0000-7000-8000-00000000dead", leaseUntil: it.clock.now() + leaseMs }
  await it.app.store.write(it.project.id, async (unit) => void (await unit.db.update(callTable).set(leased)))
  it.clock.jump(-day)
  await it.settle()
  const [call] = await it.app.store.read.select().from(callTable)
  expect(call?.leaseUntil).toBe(it.clock.now() + leaseMs)
})
