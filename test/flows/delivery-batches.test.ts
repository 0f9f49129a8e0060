import { expect, test } from "bun:test"
import { deferred, type Receipt, rejected, sent, type Transport, unknownOutcome } from "../../src/mail/transport.ts"
import { appOfTest } from "../harness/app.ts"
import {
  accept,
  addresses,
  countByStatus,
  eventsOf,
  marketing,
  recipients,
  rowOf,
  transportsOf,
} from "../harness/mails.ts"
import { commitsIn } from "../harness/store.ts"

/** An app whose transport takes ten messages a call, and records the calls. */
async function startBatching(send: Transport["send"], concurrency = 1) {
  const calls: string[][] = []
  const transport: Transport = {
    name: "batching",
    limits: { batch: 10, concurrency },
    send(messages, signal) {
      calls.push(recipients(messages))
      return send(messages, signal)
    },
    close: async () => {},
  }
  const it = await appOfTest({ overrides: { transports: transportsOf(transport) } })
  return { it, calls }
}

const allSent: Transport["send"] = async (messages) => messages.map(({ id }) => sent(`p-${id}`))

test("a transport that takes batches gets full ones, each claimed and recorded in one go", async () => {
  const { it, calls } = await startBatching(allSent)
  // Recurring work is planned before.
  await it.settle()
  await accept(it, {}, ...addresses(35))
  const before = commitsIn(it.folder)
  await it.settle()
  expect(calls.map(({ length }) => length)).toEqual([10, 10, 10, 5])
  expect(calls.flat()).toEqual(addresses(35))
  expect(await countByStatus(it)).toEqual({ SENT: 35 })
  expect(commitsIn(it.folder) - before).toBeLessThan(9)
})

test("a batch of large messages is handed over in parts of 50 MB, so that it fits into memory", async () => {
  const inMemory: number[] = []
  const { it, calls } = await startBatching(async (messages) => {
    inMemory.push(messages.reduce((sum, { attachments }) => sum + (attachments[0]?.content.byteLength ?? 0), 0))
    return messages.map(({ id }) => sent(`p-${id}`))
  })
  const content = Buffer.alloc(9_000_000, "a").toString("base64")
  const body = {
    to: addresses(10),
    from: "hi@acme.test",
    subject: "Hi",
    body: "<p>Hello</p>",
    attachments: [{ filename: "a.txt", contentType: "text/plain", content }],
  }
  expect((await it.api("POST /v1/send", { body })).status).toBe(200)
  await it.settle()
  expect([inMemory, calls.flat().toSorted()]).toEqual([[45_000_000, 45_000_000], addresses(10).toSorted()])
  expect(await countByStatus(it)).toEqual({ SENT: 10 })
})

test("a batch holds mail of one lane only", async () => {
  const { it, calls } = await startBatching(allSent)
  await accept(it, marketing, ...addresses(5, "bulk"))
  await accept(it, {}, ...addresses(5))
  await it.settle()
  expect(calls).toEqual([addresses(5), addresses(5, "bulk")])
})

test("each message of a batch has its own outcome", async () => {
  const outcomes: Record<string, Receipt> = {
    "p1@example.com": sent("one"),
    "p2@example.com": deferred("busy"),
    "p3@example.com": rejected("no such user"),
    "p4@example.com": unknownOutcome("who knows"),
    "p5@example.com": sent("five"),
  }
  const { it, calls } = await startBatching(async (messages) =>
    messages.map(({ to }) => outcomes[to.address] ?? sent(null)),
  )
  const ids = await accept(it, {}, ...addresses(5))
  await it.settle()
  const rows = await Promise.all(ids.map((id) => rowOf(it, id)))
  expect(rows.map(({ status, error, providerId }) => [status, error, providerId])).toEqual([
    ["SENT", null, "one"],
    ["PENDING", "busy", null],
    ["FAILED", "no such user", null],
    ["PENDING", "who knows", null],
    ["SENT", null, "five"],
  ])
  const events = await Promise.all(ids.map((id) => eventsOf(it, "email.sent", id)))
  expect(events.map(({ length }) => length)).toEqual([1, 0, 0, 0, 1])
  await it.advance({ minutes: 1 })
  expect(calls.slice(1)).toEqual([["p2@example.com", "p4@example.com"]])
})

test("a batch whose call fails is unknown for each: what may be repeated is, the rest fails", async () => {
  const { it } = await startBatching(() => Promise.reject(new Error("A fault in the plugin.")))
  const ordinary = await accept(it, {}, ...addresses(3))
  const bulk = await accept(it, marketing, ...addresses(3, "bulk"))
  await it.settle()
  for (const id of ordinary) expect(await rowOf(it, id)).toMatchObject({ status: "PENDING", attempt: 1 })
  for (const id of bulk) expect(await rowOf(it, id)).toMatchObject({ status: "FAILED", error: "outcome_unknown" })
  expect(it.complaints.filter(({ level }) => level === "error").length).toBe(2)
})

test("a message for which a transport has no receipt is unknown, and the others have theirs", async () => {
  const { it } = await startBatching(async (messages) => messages.slice(0, 2).map(() => sent(null)))
  const ids = await accept(it, marketing, ...addresses(3))
  await it.settle()
  const rows = await Promise.all(ids.map((id) => rowOf(it, id)))
  expect(rows.map(({ status, error }) => [status, error])).toEqual([
    ["SENT", null],
    ["SENT", null],
    ["FAILED", "outcome_unknown"],
  ])
})

test("batches go over several connections without a message being handed over twice", async () => {
  const { it, calls } = await startBatching(allSent, 4)
  await accept(it, {}, ...addresses(205))
  await it.settle()
  expect(calls.flat().toSorted()).toEqual(addresses(205).toSorted())
  expect(Math.max(...calls.map(({ length }) => length))).toBe(10)
  expect(await countByStatus(it)).toEqual({ SENT: 205 })
})
