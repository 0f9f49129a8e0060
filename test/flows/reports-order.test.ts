import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { type Outgoing, sent, unknownOutcome } from "../../src/mail/transport.ts"
import { eventTable } from "../../src/modules/events/index.ts"
import type { TestApp } from "../harness/app.ts"
import { rowOf, send } from "../harness/mails.ts"
import { reportByPostmark, reportBySes, startReportsApp } from "../harness/sns.ts"

let it: TestApp
beforeEach(async () => {
  ;({ it } = await startReportsApp())
})
afterEach(() => it.close())

const namesOf = async (id: string) =>
  (await it.app.store.read.select().from(eventTable).where(eq(eventTable.emailId, id)).orderBy(eventTable.id)).map(
    ({ name }) => name,
  )

const permanent = { eventType: "Bounce", bounce: { bounceType: "Permanent" } }
const kinds = {
  delivery: { eventType: "Delivery" },
  bounce: permanent,
  complaint: { eventType: "Complaint" },
  open: { eventType: "Open" },
}

/** How SES names a message: by its own id alone, by our tag, by our header. */
const ways: readonly [string, (message: Outgoing) => object][] = [
  ["our id", ({ id }) => ({ messageId: "not-known-yet", tags: { "mailstead-email": [id] } })],
  [
    "the Message-ID",
    ({ messageId }) => ({
      messageId: "not-known-yet",
      headers: [
        { name: "From", value: "hi@acme.test" },
        { name: "Message-ID", value: `<${messageId}>` },
      ],
    }),
  ],
]

describe("A report that comes before the receipt is stored", () => {
  test.each(ways)("finds the mail by %s", async (_, mailOf) => {
    const answers: number[] = []
    it.transport.answer = async (message) => {
      for (const event of [permanent, kinds.delivery])
        answers.push((await reportBySes(it, mailOf(message), event)).status)
      return sent("theirs")
    }
    const [id = ""] = await send(it, "to@example.com")
    await it.settle()
    expect(answers).toEqual([200, 200])
    const row = await rowOf(it, id)
    expect(row).toMatchObject({ status: "BOUNCED", providerId: "theirs" })
    for (const time of [row.sentAt, row.bouncedAt, row.deliveredAt]) expect(time).toBeNumber()
    expect(await namesOf(id)).toEqual(["email.bounce", "email.delivery", "email.sent"])
    expect((await reportBySes(it, { messageId: "theirs" }, permanent)).status).toBe(200)
    expect(await namesOf(id)).toHaveLength(3)
  })

  test("finds it at Postmark by the metadata", async () => {
    const answers: number[] = []
    it.transport.answer = async ({ id }) => {
      const metadata = { Metadata: { "mailstead-email": id } }
      const record = { RecordType: "Bounce", Type: "HardBounce", MessageID: "not-known-yet", ...metadata }
      answers.push((await reportByPostmark(it, record)).status)
      return sent("theirs")
    }
    const [id = ""] = await send(it, "to@example.com")
    await it.settle()
    expect(answers).toEqual([200])
    expect(await rowOf(it, id)).toMatchObject({ status: "BOUNCED", providerId: "theirs" })
  })

  test("tells that the mail was sent, although its server did not", async () => {
    it.transport.answer = async (message) => {
      await reportBySes(it, { messageId: "x", tags: { "mailstead-email": [message.id] } }, kinds.delivery)
      return unknownOutcome("The line was cut.")
    }
    const [id = ""] = await send(it, "to@example.com")
    await it.settle()
    const row = await rowOf(it, id)
    expect(row).toMatchObject({ status: "DELIVERED", leaseUntil: null, error: null })
    expect(row.sentAt).toBeNumber()
    expect(await namesOf(id)).toEqual(["email.delivery", "email.sent"])
    await it.advance({ days: 3 })
    expect(it.sent()).toHaveLength(1)
  })

  test("is 404 when it names only what is not known yet, and has its effect when it is repeated", async () => {
    const answers: number[] = []
    const record = { RecordType: "Delivery", MessageID: "theirs" }
    it.transport.answer = async () => {
      answers.push((await reportByPostmark(it, record)).status)
      return sent("theirs")
    }
    const [id = ""] = await send(it, "to@example.com")
    await it.settle()
    answers.push((await reportByPostmark(it, record)).status)
    expect(answers).toEqual([404, 200])
    expect((await rowOf(it, id)).status).toBe("DELIVERED")
  })
})

describe("A mail that was repeated", () => {
  test("is found under the ids of both its copies, and the reports on both count as those on one", async () => {
    let attempts = 0
    it.transport.answer = async () => (++attempts === 1 ? unknownOutcome("The line was cut.") : sent("second"))
    const [id = ""] = await send(it, "to@example.com")
    await it.settle()
    await it.advance({ minutes: 1 })
    expect([attempts, (await rowOf(it, id)).providerId]).toEqual([2, "second"])
    for (const mail of [{ messageId: "first", tags: { "mailstead-email": [id] } }, { messageId: "second" }])
      expect((await reportBySes(it, mail, kinds.delivery)).status).toBe(200)
    expect(await namesOf(id)).toEqual(["email.sent", "email.delivery"])
  })

  test("is not sent again once its first copy is known to have bounced", async () => {
    it.transport.answer = async () => unknownOutcome("The line was cut.")
    const [id = ""] = await send(it, "to@example.com")
    await it.settle()
    await reportBySes(it, { messageId: "first", tags: { "mailstead-email": [id] } }, permanent)
    await it.advance({ days: 3 })
    expect(it.sent()).toHaveLength(1)
    expect((await rowOf(it, id)).status).toBe("BOUNCED")
  })
})

const orders = (list: readonly (keyof typeof kinds)[]): (keyof typeof kinds)[][] =>
  list.length === 0
    ? [[]]
    : list.flatMap((first) => orders(list.filter((one) => one !== first)).map((rest) => [first, ...rest]))

test("every order of reports leads to the same state", async () => {
  const all = orders(["delivery", "bounce", "complaint", "open"])
  expect(all).toHaveLength(24)
  for (const [at, order] of all.entries()) {
    const to = `to${at}@example.com`
    await it.api("POST /contacts", { body: { email: to } })
    const [id = ""] = await send(it, to)
    await it.settle()
    for (const kind of order) await reportBySes(it, { messageId: "x", tags: { "mailstead-email": [id] } }, kinds[kind])
    const { status, opens, contactId, ...row } = await rowOf(it, id)
    expect([order, status, opens]).toEqual([order, "COMPLAINED", 1])
    for (const time of [row.deliveredAt, row.bouncedAt, row.complainedAt, row.openedAt]) expect(time).toBeNumber()
    expect((await namesOf(id)).toSorted()).toEqual([
      "email.bounce",
      "email.complaint",
      "email.delivery",
      "email.open",
      "email.sent",
    ])
    expect((await it.api(`GET /contacts/${contactId}`)).body.subscribed).toBe(false)
  }
})

test("mail that came in is never meant", async () => {
  const { emailTable } = await import("../../src/modules/emails/index.ts")
  const [id = ""] = await send(it, "to@example.com")
  await it.settle()
  await it.app.store.write(it.project.id, (unit) =>
    unit.db
      .update(emailTable)
      .set({ sourceType: "INBOUND", status: "RECEIVED", providerId: "theirs" })
      .where(eq(emailTable.id, id)),
  )
  for (const mail of [{ messageId: "theirs" }, { messageId: "x", tags: { "mailstead-email": [id] } }])
    expect((await reportBySes(it, mail, permanent)).status).toBe(404)
})
