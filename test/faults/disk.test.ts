import { expect, test } from "bun:test"
import { count } from "drizzle-orm"
import { contactTable } from "../../src/modules/contacts/index.ts"
import { eventTable } from "../../src/modules/events/index.ts"
import { signUp } from "../harness/accounts.ts"
import { appOfTest, type TestApp } from "../harness/app.ts"
import { countByStatus, rowOf, send } from "../harness/mails.ts"
import { fillDisk, freeDisk, until, writesDone } from "../harness/store.ts"

/** More than fits into the free space of the pages of the database. */
const bulky = "x".repeat(100_000)
const track = (it: TestApp, email: string, headers: Record<string, string> = {}) =>
  it.api("POST /v1/track", { body: { email, event: "visited", data: { note: bulky } }, headers })

async function totals(it: TestApp): Promise<{ contacts: number; events: number }> {
  const [contacts] = await it.app.store.read.select({ n: count() }).from(contactTable)
  const [events] = await it.app.store.read.select({ n: count() }).from(eventTable)
  return { contacts: contacts?.n ?? 0, events: events?.n ?? 0 }
}

test("on a full disk requests are refused with the error envelope, data can be read, and afterwards everything works", async () => {
  const it = await appOfTest()
  const first = await track(it, "a@example.com")
  expect(first.status).toBe(200)
  await fillDisk(it.app.store)
  const headers = { "X-Request-ID": "my-request" }
  for (let attempt = 0; attempt < 3; attempt++) {
    const refused = await track(it, "b@example.com", headers)
    expect([refused.status, refused.headers.get("x-request-id")]).toEqual([503, "my-request"])
    expect(refused.body).toEqual({
      success: false,
      error: {
        code: "STORE_UNAVAILABLE",
        message: expect.any(String),
        statusCode: 503,
        requestId: "my-request",
        suggestion: expect.stringContaining("free space"),
      },
      timestamp: expect.any(String),
    })
  }
  expect((await it.api(`GET /contacts/${first.body.data.contact}`)).body.email).toBe("a@example.com")
  expect((await it.api("GET /health")).status).toBe(503)
  expect(await totals(it)).toEqual({ contacts: 1, events: 1 })
  await freeDisk(it.app.store)
  expect((await track(it, "b@example.com")).status).toBe(200)
  expect((await it.api("GET /health")).status).toBe(503)
  it.clock.jump(5_000)
  expect((await it.api("GET /health")).status).toBe(200)
  expect(await totals(it)).toEqual({ contacts: 2, events: 2 })
  expect(
    it.complaints.every(({ level, message }) => level === "error" && message.includes("could not be committed")),
  ).toBe(true)
})

test("a server that has an account stores nothing to begin, so that it starts on a full disk, too", async () => {
  const it = await appOfTest()
  await signUp(it, "ada@example.com")
  const { write } = it.app.store
  Object.assign(it.app.store, { write: () => Promise.reject(new Error("The disk is full.")) })
  expect(await it.app.accounts.setupLink()).toBeUndefined()
  Object.assign(it.app.store, { write })
})

test("of many requests around a full disk exactly the acknowledged ones are stored", async () => {
  const it = await appOfTest()
  const acknowledged: string[] = []
  let refused = 0
  for (let round = 0; round < 12; round++) {
    if (round % 4 === 1) await fillDisk(it.app.store)
    if (round % 4 === 3) await freeDisk(it.app.store)
    const addresses = Array.from({ length: 8 }, (_, at) => `r${round}-${at}@example.com`)
    const answers = await Promise.all(addresses.map((email) => track(it, email)))
    for (const [at, { status }] of answers.entries()) {
      expect([200, 503]).toContain(status)
      if (status === 200) acknowledged.push(addresses[at] ?? "")
      else refused++
    }
  }
  const stored = (await it.app.store.read.select({ email: contactTable.email }).from(contactTable)).map(
    ({ email }) => email,
  )
  expect(stored.toSorted()).toEqual(acknowledged.toSorted())
  expect(await totals(it)).toEqual({ contacts: acknowledged.length, events: acknowledged.length })
  expect(refused).toBeGreaterThanOrEqual(24)
  expect(acknowledged.length).toBeGreaterThanOrEqual(48)
})

test("the key of a request that could not be stored is free for its repetition (contract A1.10.4)", async () => {
  const it = await appOfTest()
  for (const [at, length] of [7, 250].entries()) {
    const headers = { "Idempotency-Key": `order-${at}`.padEnd(length, "-") }
    await fillDisk(it.app.store)
    expect((await track(it, `${at}@example.com`, headers)).status).toBe(503)
    await freeDisk(it.app.store)
    expect((await track(it, `${at}@example.com`, headers)).status).toBe(200)
    expect(await totals(it)).toEqual({ contacts: at + 1, events: at + 1 })
  }
})

test("mail that was accepted before the disk was full is sent automatically once there is space", async () => {
  const it = await appOfTest()
  const ids = await send(it, "a@example.com", "b@example.com", "c@example.com")
  it.transport.answer = async ({ id }) => {
    await fillDisk(it.app.store)
    return { outcome: "sent", providerId: id.padEnd(9_000, "x") }
  }
  for (const loop of [it.app.bus.loop, it.app.jobs.loop, it.app.emails.delivery.loop]) loop.start()
  const stuck = () => it.complaints.filter(({ message }) => message.startsWith("A receipt could not be stored")).length
  await until(() => stuck() > 0)
  for (let at = 0; at < 30; at++) {
    await it.clock.advance(1_000)
    await writesDone(it.app.store)
  }
  await freeDisk(it.app.store)
  it.transport.answer = ({ id }) => ({ outcome: "sent", providerId: id })
  await until(async () => {
    await it.clock.advance(1_000)
    return (await countByStatus(it)).SENT === 3
  })
  expect(it.sent()).toHaveLength(3)
  for (const id of ids) expect((await rowOf(it, id)).attempt).toBe(1)
})
