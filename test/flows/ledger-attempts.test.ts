import { expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { hour, minute } from "../../src/kernel/clock.ts"
import { deferred, type Receipt, rejected, sent, unknownOutcome, unreachable } from "../../src/mail/transport.ts"
import { emailTable } from "../../src/modules/emails/index.ts"
import { appOfTest, type TestApp } from "../harness/app.ts"
import {
  accept,
  addresses,
  countByStatus,
  eventsOf,
  fromCampaign,
  marketing,
  rowOf,
  send,
  workflowMail,
} from "../harness/mails.ts"

const start = async (answer?: TestApp["transport"]["answer"]): Promise<TestApp> => {
  const it = await appOfTest()
  if (answer) it.transport.answer = answer
  return it
}

const rests = [minute, 5 * minute, 15 * minute, hour, 2 * hour, 4 * hour, 8 * hour, 16 * hour]

test("mail that is deferred repeatedly is handed over as the same message nine times and then fails", async () => {
  const it = await start(() => deferred("451 try again later"))
  const [id] = await send(it, "ada@example.com")
  await it.settle()
  for (const [at, rest] of rests.entries()) {
    const row = { status: "PENDING", attempt: at + 1, error: "451 try again later", dueAt: it.clock.now() + rest }
    expect(await rowOf(it, id)).toMatchObject({ ...row, leaseUntil: null, sentAt: null })
    await it.advance({ ms: rest - 1 })
    expect(it.sent()).toHaveLength(at + 1)
    await it.advance({ ms: 1 })
    expect(it.sent()).toHaveLength(at + 2)
  }
  expect(await rowOf(it, id)).toMatchObject({
    status: "FAILED",
    attempt: 9,
    error: "451 try again later",
    leaseUntil: null,
  })
  await it.advance({ days: 3 })
  expect(it.sent()).toHaveLength(9)
  const [first] = it.sent()
  expect(first?.messageId).toBe(`${id}@acme.test`)
  for (const message of it.sent()) {
    expect([message.id, message.messageId]).toEqual([id ?? "", first?.messageId ?? ""])
    expect(Buffer.from(message.mime()).equals(first?.mime() ?? Buffer.alloc(0))).toBe(true)
  }
  expect((await it.api(`GET /emails/${id}`)).body).toMatchObject({
    status: "FAILED",
    error: "451 try again later",
    sentAt: null,
  })
  expect(await eventsOf(it, "email.sent", id)).toEqual([])
})

test("mail that is refused fails at once with the reason", async () => {
  const it = await start(() => rejected("550 no such user"))
  const [id] = await send(it, "ada@example.com")
  await it.advance({ days: 3 })
  expect(it.sent()).toHaveLength(1)
  expect((await it.api(`GET /emails/${id}`)).body).toMatchObject({
    status: "FAILED",
    error: "550 no such user",
    sentAt: null,
  })
  expect(await eventsOf(it, "email.sent", id)).toEqual([])
})

test.each([
  ["an ordinary mail", {}],
  ["the mail of a workflow", workflowMail],
] as const)("%s whose outcome is unknown is tried again with the same Message-ID", async (_, kind) => {
  const receipts: Receipt[] = [unknownOutcome("the connection died"), sent("p-1")]
  const it = await start(() => receipts.shift() ?? sent("p-2"))
  const [id] = await accept(it, kind, "ada@example.com")
  await it.settle()
  expect(await rowOf(it, id)).toMatchObject({ status: "PENDING", attempt: 1, error: "the connection died" })
  await it.advance({ minutes: 1 })
  expect(await rowOf(it, id)).toMatchObject({ status: "SENT", attempt: 2, error: null, providerId: "p-1" })
  const [first, second] = it.sent()
  expect(second?.messageId).toBe(first?.messageId ?? "")
  expect(await eventsOf(it, "email.sent", id)).toHaveLength(1)
})

test.each([
  ["campaign", marketing],
  ["marketing", { type: "MARKETING" }],
  ["transactional campaign", { source: fromCampaign }],
] as const)("%s mail whose outcome is unknown never goes out twice", async (_, kind) => {
  const it = await start(() => unknownOutcome("the connection died"))
  const [id] = await accept(it, kind, "ada@example.com")
  await it.settle()
  expect(await rowOf(it, id)).toMatchObject({ status: "FAILED", error: "outcome_unknown", attempt: 1 })
  await it.advance({ days: 3 })
  expect(it.sent()).toHaveLength(1)
})

test("a retry time of the server is respected, but not before our own", async () => {
  const it = await start()
  const named = { late: it.clock.now() + 3 * hour, early: it.clock.now() + 1_000 }
  it.transport.answer = ({ to }) => deferred("greylisted", to.address === "late@example.com" ? named.late : named.early)
  const [late, early] = await send(it, "late@example.com", "early@example.com")
  await it.settle()
  expect((await rowOf(it, late)).dueAt).toBe(named.late)
  expect((await rowOf(it, early)).dueAt).toBe(it.clock.now() + minute)
  it.transport.answer = () => sent(null)
  await it.advance({ ms: 3 * hour - 1 })
  expect([(await rowOf(it, late)).status, (await rowOf(it, early)).status]).toEqual(["PENDING", "SENT"])
  await it.advance({ ms: 1 })
  expect((await rowOf(it, late)).status).toBe("SENT")
})

test("a message is claimed, and its attempt counted, before the transport is called", async () => {
  const it = await start()
  const seen: unknown[] = []
  it.transport.answer = async ({ id }) => {
    const { status, attempt, leaseUntil } = await rowOf(it, id)
    seen.push({ status, attempt, leased: (leaseUntil ?? 0) > it.clock.now() })
    return seen.length === 1 ? deferred("later") : sent(null)
  }
  const [id] = await send(it, "ada@example.com")
  expect((await rowOf(it, id)).attempt).toBe(0)
  await it.settle()
  await it.advance({ minutes: 1 })
  expect(seen).toEqual([
    { status: "SENDING", attempt: 1, leased: true },
    { status: "SENDING", attempt: 2, leased: true },
  ])
})

test("mail that was cancelled while it waited is not handed over", async () => {
  const it = await start()
  const [id, other] = await send(it, "ada@example.com", "bo@example.com")
  await it.app.store.write(it.project.id, async (unit) => {
    await unit.db
      .update(emailTable)
      .set({ status: "CANCELLED" })
      .where(eq(emailTable.id, id ?? ""))
  })
  await it.settle()
  expect(it.sent().map((message) => message.id)).toEqual([other ?? ""])
  expect((await rowOf(it, id)).status).toBe("CANCELLED")
})

test("a server that is down for an hour loses no mail: all of it is sent when the server is back", async () => {
  let down = true
  const it = await start(() => (down ? unreachable("connection refused") : sent(null)))
  await send(it, ...addresses(30))
  await accept(it, marketing, ...addresses(30, "bulk"))
  await it.settle()
  expect(await countByStatus(it)).toEqual({ PENDING: 60 })
  for (let at = 0; at < 60; at++) await it.advance({ minutes: 1 })
  expect(await countByStatus(it)).toEqual({ PENDING: 60 })
  down = false
  await it.advance({ minutes: 30 })
  expect(await countByStatus(it)).toEqual({ SENT: 60 })
  const handed = it.sent().length
  await it.advance({ days: 1 })
  expect(it.sent()).toHaveLength(handed)
})
