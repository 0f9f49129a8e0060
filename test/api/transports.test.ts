import { afterAll, beforeAll, expect, test } from "bun:test"
import { silentLog } from "../../src/kernel/log.ts"
import { rejected, sent, type TransportPlugin, unreachable } from "../../src/mail/transport.ts"
import { createTransports } from "../../src/mail/transports.ts"
import { type Browser, signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { createFakeClock } from "../harness/fake-clock.ts"
import { send } from "../harness/mails.ts"

const clock = createFakeClock()

/** `stub://up` takes everything but mail to `nobody@`; nothing else can be reached. */
const stub: TransportPlugin = {
  schemes: ["stub"],
  create: ({ host }) => ({
    name: host,
    limits: { concurrency: 4, batch: 10 },
    send: async (messages) =>
      messages.map(({ to }) => {
        if (host !== "up") return unreachable(`${host} is down`)
        return to.address.startsWith("nobody@") ? rejected("550 nobody") : sent("id")
      }),
    close: async () => {},
  }),
}

let it: TestApp
let owner: Browser

beforeAll(async () => {
  const transports = await createTransports(
    {
      mail: { url: ["stub://first", "stub://up"], transactional: null, bulk: "news" },
      transports: { news: { url: ["stub://bulk"], maxPerSecond: null } },
    },
    { plugins: [stub], tools: { log: silentLog, env: () => undefined }, clock },
  )
  it = await startTestApp({ clock, overrides: { transports } })
  owner = await signUp(it, "owner@acme.test")
})
afterAll(() => it.close())

const transports = async () => (await owner.api("GET /instance/transports")).body

test("Every transport is listed with what it did in the last hour, those of a failover by themselves (contract B8.3.22)", async () => {
  const before = (await transports()).data
  expect(before.map(({ name, lanes }: { name: string; lanes: string[] }) => [name, lanes])).toEqual([
    ["first", ["transactional"]],
    ["up", ["transactional"]],
    ["bulk", ["bulk"]],
  ])
  expect(before[1]).toMatchObject({ sent: 0, perSecond: 0, lastError: null })
  await send(it, "ada@example.com", "bea@example.com", "nobody@example.com")
  await it.settle()
  const at = new Date(clock.now()).toISOString()
  const { success, data } = await transports()
  expect(success).toBe(true)
  expect(data[0]).toMatchObject({ sent: 0, lastError: { at, outcome: "deferred", reason: "first is down" } })
  expect(data[0].deferred).toBeGreaterThan(0)
  expect(data.slice(1)).toEqual([
    {
      name: "up",
      lanes: ["transactional"],
      sent: 2,
      deferred: 0,
      rejected: 1,
      unknown: 0,
      perSecond: 0.05,
      lastError: { at, outcome: "rejected", reason: "550 nobody" },
    },
    { name: "bulk", lanes: ["bulk"], sent: 0, deferred: 0, rejected: 0, unknown: 0, perSecond: 0, lastError: null },
  ])
  await it.advance({ minutes: 61 })
  expect((await transports()).data[1]).toMatchObject({ sent: 0, rejected: 0, lastError: { reason: "550 nobody" } })
})
