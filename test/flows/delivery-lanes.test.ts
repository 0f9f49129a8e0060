import { expect, spyOn, test } from "bun:test"
import { inArray, sql } from "drizzle-orm"
import { type Outgoing, type Receipt, sent, type TransportLimits } from "../../src/mail/transport.ts"
import { createWaitingLane } from "../../src/modules/emails/delivery/waiting.ts"
import { emailTable, lanes } from "../../src/modules/emails/index.ts"
import { idValue } from "../../src/store/dialect.ts"
import { appOfTest } from "../harness/app.ts"
import {
  accept,
  addresses,
  countByStatus,
  marketing,
  recipients,
  rowOf,
  send,
  transportsOf,
  workflowMail,
} from "../harness/mails.ts"
import { recordingTransport } from "../harness/recording-transport.ts"
import { until, writesDone } from "../harness/store.ts"

/** An app whose transport holds each message until the test releases it. */
async function startHeld(limits: Partial<TransportLimits>) {
  const transport = recordingTransport(limits)
  const it = await appOfTest({ overrides: { transports: transportsOf(transport) } })
  const held: { message: Outgoing; release: (receipt: Receipt) => void }[] = []
  transport.answer = (message) => new Promise((release) => held.push({ message, release }))
  return {
    it,
    transport,
    held,
    /** Releases the message that is held longest. */
    releaseOne: () => held.shift()?.release(sent(null)),
    releaseAll() {
      transport.answer = () => sent(null)
      for (const { release } of held.splice(0)) release(sent(null))
    },
  }
}

test("a password reset does not wait for a thousand newsletters: it has the next free connection", async () => {
  const { it, transport, held, releaseOne, releaseAll } = await startHeld({ concurrency: 2 })
  await accept(it, marketing, ...addresses(1_000, "bulk"))
  it.app.emails.delivery.loop.start()
  await until(() => held.length === 2)
  await send(it, "reset@example.com")
  await accept(it, workflowMail, "flow@example.com")
  releaseOne()
  await until(() => transport.handed.length === 3)
  releaseOne()
  await until(() => transport.handed.length === 4)
  releaseOne()
  await until(() => transport.handed.length === 5)
  expect(recipients(transport.handed).map((to) => to.replace(/\d+/, ""))).toEqual([
    "bulk@example.com",
    "bulk@example.com",
    "reset@example.com",
    "flow@example.com",
    "bulk@example.com",
  ])
  releaseAll()
  await it.settle()
  expect(await countByStatus(it)).toEqual({ SENT: 1_002 })
})

test("bulk mail leaves a connection free for transactional mail", async () => {
  const { it, transport, held, releaseAll } = await startHeld({ concurrency: 8 })
  await accept(it, marketing, ...addresses(100, "bulk"))
  it.app.emails.delivery.loop.start()
  await until(() => held.length === 7)
  await writesDone(it.app.store)
  expect(held).toHaveLength(7)
  await send(it, "reset@example.com")
  await until(() => held.length === 8)
  expect(recipients(transport.handed).at(-1)).toBe("reset@example.com")
  releaseAll()
  await it.settle()
  expect(await countByStatus(it)).toEqual({ SENT: 101 })
})

test("never more messages are handed over concurrently than the transport takes", async () => {
  const { it, transport, held, releaseOne, releaseAll } = await startHeld({ concurrency: 3 })
  await send(it, ...addresses(20))
  it.app.emails.delivery.loop.start()
  for (let left = 0; left < 10; left++) {
    await until(() => transport.handed.length === left + 3)
    await writesDone(it.app.store)
    expect(held).toHaveLength(3)
    releaseOne()
  }
  releaseAll()
  await it.settle()
  expect(recipients(transport.handed).toSorted()).toEqual(addresses(20).toSorted())
})

test("bulk mail with its own transport is sent there, and neither waits for the other", async () => {
  const [quick, slow] = [recordingTransport(), recordingTransport()]
  const it = await appOfTest({ overrides: { transports: transportsOf(quick, slow) } })
  const gate = Promise.withResolvers<Receipt>()
  slow.answer = () => gate.promise
  await accept(it, marketing, ...addresses(20, "bulk"))
  const [reset] = await send(it, "reset@example.com")
  it.app.emails.delivery.loop.start()
  await until(async () => (await rowOf(it, reset)).status === "SENT")
  expect(recipients(quick.handed)).toEqual(["reset@example.com"])
  await until(() => slow.handed.length === 4)
  expect(await countByStatus(it)).toMatchObject({ SENT: 1 })
  gate.resolve(sent(null))
  await it.settle()
  expect([quick.handed.length, slow.handed.length]).toEqual([1, 20])
  expect(quick.handed[0]?.stream).toBe("transactional")
  expect(slow.handed[0]?.stream).toBe("bulk")
})

test("of 20,000 waiting mails only a few are read before their turn", async () => {
  const it = await appOfTest()
  const [model] = await accept(it, marketing, "p0@example.com")
  await it.app.store.write(it.project.id, async (unit) => {
    const columns =
      "project_id, locale, to_address, from_address, subject, type, source_type, status, lane, attempt, due_at"
    await unit.db.run(sql`
      INSERT INTO email (id, message_id, ${sql.raw(columns)}, opens, clicks, created_at, updated_at)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      SELECT unhex(substr(hex(id), 1, 24) || printf('%08x', 1000000 + i)), message_id || i, ${sql.raw(columns)}, 0, 0, created_at, updated_at
      FROM email, n WHERE id = ${idValue(model ?? "")}`)
  })
  expect(await countByStatus(it)).toEqual({ PENDING: 20_001 })
  const taken: number[] = []
  const perProject = {
    available: (_: string, wanted: number) => wanted,
    take: (_: string, count: number) => void taken.push(count),
  }
  const { store } = it.app
  const line = createWaitingLane(lanes.bulk, { store, clock: it.clock, perProject, underWay: new Set() })
  const first = await line.next(1)
  expect(first).toHaveLength(1)
  expect(taken).toEqual([128])
  const seen = new Set(first)
  for (let round = 0; round < 50; round++) {
    const ids = await line.next(7)
    for (const id of ids) seen.add(id)
    await store.write("instance", (unit) =>
      unit.db
        .update(emailTable)
        .set({ status: "CANCELLED" })
        .where(inArray(emailTable.id, [...ids]))
        .then(() => {}),
    )
  }
  expect(Math.max(...taken)).toBe(128)
  expect(seen.size).toBeGreaterThan(300)
})

test("requests give way to mail that has waited for half a second, and never to bulk mail", async () => {
  const it = await appOfTest()
  const preferred = spyOn(it.app.store, "preferDelivery")
  const drain = async (ms: number) => {
    it.clock.advance(ms)
    preferred.mockClear()
    await it.settle()
    return preferred.mock.calls.length > 0
  }
  await accept(it, marketing, "bulk@example.com")
  expect(await drain(10_000)).toBeFalse()
  await send(it, "early@example.com")
  expect(await drain(500)).toBeFalse()
  await send(it, "late@example.com")
  expect(await drain(501)).toBeTrue()
})

test("requests do not give way to mail that waits for the limit of its project", async () => {
  const it = await appOfTest({ settings: { "limits.emails_per_second": "2" } })
  const preferred = spyOn(it.app.store, "preferDelivery")
  for (let n = 0; n < 9; n++) await send(it, `reader${n}@example.com`)
  await it.settle()
  for (let seconds = 1; seconds <= 3; seconds++) {
    it.clock.advance(1_000)
    await it.settle()
    expect([it.sent().length, preferred.mock.calls.length]).toEqual([2 + 2 * seconds, 0])
  }
})

test("new mail of a project whose limit allows none now is not looked for before the next poll", async () => {
  const it = await appOfTest()
  await send(it, "reader@example.com")
  let allowed = 0
  const perProject = { available: (_: string, wanted: number) => Math.min(wanted, allowed), take: () => {} }
  const { store } = it.app
  const line = createWaitingLane(lanes.transactional, { store, clock: it.clock, perProject, underWay: new Set() })
  expect(await line.next(1)).toBeEmpty()
  line.wake(it.project.id)
  expect(line.mayHaveMail).toBeFalse()
  line.wake()
  expect(line.mayHaveMail).toBeTrue()
  expect(await line.next(1)).toBeEmpty()
  allowed = 1
  line.wake(it.project.id)
  expect(await line.next(1)).toHaveLength(1)
})
