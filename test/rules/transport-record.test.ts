import { expect, test } from "bun:test"
import { createLog } from "../../src/kernel/log.ts"
import { createMetrics, type Histogram } from "../../src/kernel/metrics.ts"
import {
  deferred,
  type Receipt,
  rejected,
  sent,
  type Transport,
  unknownOutcome,
  unreachable,
  withheld,
} from "../../src/mail/transport.ts"
import { createRecord } from "../../src/mail/transports/record.ts"
import { messageTo } from "../contracts/messages.ts"

const never = new AbortController().signal

function recorded() {
  const clock = { at: 1_800_000_000_000, now: () => clock.at }
  const logged: string[] = []
  const log = createLog((level, message, { reason = "" }) => logged.push(`${level}: ${message} ${reason}`.trim()))
  const record = createRecord(clock, { log })
  let answer: Receipt = sent(null)
  const transport: Transport = record.kept({
    name: "t",
    limits: { concurrency: 1, batch: 9 },
    send: async (messages) => messages.map(() => answer),
    close: async () => {},
  })
  const message = messageTo("ada@example.com")
  return {
    clock,
    logged,
    read: record.read,
    worked: () => record.worked("t"),
    async send(receipt: Receipt, count = 1, abort: AbortSignal = never) {
      answer = receipt
      await transport.send(Array(count).fill(message), abort)
    },
    /** Messages that the transport was given to make: `isLost` when they could not be composed. */
    async sendLazy(...isLost: readonly boolean[]) {
      answer = deferred("the message could not be composed")
      await transport.send(
        isLost.map((each) => ({ ...message, input: {}, isLost: each })),
        never,
      )
    },
  }
}

test("every outcome is in the metrics with 0 before the first message, so that a rate sees it (contract A8.4)", async () => {
  const metrics = createMetrics()
  const send = async () => [sent(null)]
  const transport = createRecord({ now: () => 0 }, { metrics }).kept({
    name: "t",
    limits: { concurrency: 1, batch: 1 },
    send,
    close: async () => {},
  })
  const figures = async () => {
    const [durations, messages] = await metrics.collect()
    const counts = durations?.series.map(({ labels, value }) => [
      ...labels,
      (value as Histogram).counts.reduce((a, b) => a + b),
    ])
    return { durations: counts, messages: messages?.series.map(({ labels, value }) => [...labels, value]) }
  }
  const others = [
    ["t", "deferred", 0],
    ["t", "rejected", 0],
    ["t", "unknown", 0],
  ]
  expect(await figures()).toEqual({ durations: [["t", 0]], messages: [["t", "sent", 0], ...others] })
  await transport.send([messageTo("ada@example.com")], never)
  expect(await figures()).toEqual({ durations: [["t", 1]], messages: [["t", "sent", 1], ...others] })
})

test("receipts are counted by their outcome, and the last that is no success is remembered", async () => {
  const { clock, read, send } = recorded()
  expect(read()).toEqual({
    sent: 0,
    deferred: 0,
    rejected: 0,
    unknown: 0,
    perSecond: 0,
    lastError: null,
    failingSince: undefined,
  })
  await send(sent("a"), 3)
  await send(deferred("450 later"), 2)
  await send(unknownOutcome("lost"))
  clock.at += 1_000
  await send(rejected("550 nobody"))
  await send(sent("b"))
  const lastError = { at: clock.at, outcome: "rejected" as const, reason: "550 nobody" }
  expect(read()).toEqual({
    sent: 4,
    deferred: 2,
    rejected: 1,
    unknown: 1,
    perSecond: 0.13,
    lastError,
    failingSince: null,
  })
})

test("the rate is that of the last minute, the counts those of the last 60, the error stays", async () => {
  const { clock, read, send } = recorded()
  await send(sent("a"), 6)
  await send(rejected("550 nobody"))
  clock.at += 60_000
  await send(sent("b"), 3)
  expect(read()).toMatchObject({ sent: 9, rejected: 1, perSecond: 0.05 })
  clock.at += 59 * 60_000
  expect(read()).toMatchObject({ sent: 3, rejected: 0, perSecond: 0 })
  clock.at += 60_000
  expect(read()).toMatchObject({ sent: 0, rejected: 0, lastError: { reason: "550 nobody" } })
})

test("after the clock was set back, the counts of later times are dropped", async () => {
  const { clock, read, send } = recorded()
  await send(sent("a"), 5)
  clock.at -= 24 * 3_600_000
  expect(read()).toMatchObject({ sent: 0, perSecond: 0 })
  await send(sent("b"))
  expect(read()).toMatchObject({ sent: 1 })
})

test("messages that are released because the process stops are not counted", async () => {
  const { read, send } = recorded()
  await send(deferred("stopped"), 2, AbortSignal.abort())
  expect(read()).toMatchObject({ deferred: 0, lastError: null })
})

test("messages that may not begin are not counted, because the server has withheld them (contract B8.3.22)", async () => {
  const { read, send } = recorded()
  await send(sent("a"))
  await send(withheld("The message is not to be handed over any more."), 5)
  expect(read()).toMatchObject({ sent: 1, deferred: 0, perSecond: 0.02, lastError: null })
})

test("messages that could not be composed are not counted, for the transport has not had them", async () => {
  const { read, send, sendLazy } = recorded()
  await send(sent("a"))
  await sendLazy(true)
  expect(read()).toMatchObject({ sent: 1, deferred: 0, perSecond: 0.02, lastError: null })
  await sendLazy(true, false)
  expect(read()).toMatchObject({ sent: 1, deferred: 1, perSecond: 0.03 })
})

test("it fails since the first receipt that is no success of its own, until it takes or refuses a message", async () => {
  const { clock, read, send } = recorded()
  await send(deferred("450 greylisted"))
  expect(read().failingSince).toBeUndefined()
  await send(unreachable("connection refused"))
  const since = clock.at
  clock.at += 60_000
  await send(unknownOutcome("lost"))
  await send(deferred("450 greylisted"))
  expect(read().failingSince).toBe(since)
  await send(rejected("550 nobody"))
  expect(read().failingSince).toBeNull()
})

test("the log says once that it fails, and once that it works again", async () => {
  const { logged, send } = recorded()
  await send(sent(null))
  for (let n = 0; n < 3; n++) await send(unreachable("connection refused"))
  await send(deferred("450 greylisted"))
  expect(logged).toEqual(["warn: transport t does not work connection refused"])
  await send(rejected("550 nobody"))
  await send(sent(null))
  expect(logged.slice(1)).toEqual(["info: transport t works again"])
})

test("the log says that it works again also when it was found out without a message", async () => {
  const { logged, read, send, worked } = recorded()
  await send(unreachable("connection refused"))
  for (let n = 0; n < 2; n++) worked()
  expect(read().failingSince).toBeNull()
  expect(logged.slice(1)).toEqual(["info: transport t works again"])
})
