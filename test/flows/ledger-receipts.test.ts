import { beforeEach, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { iso } from "../../src/kernel/clock.ts"
import { deferred, sent } from "../../src/mail/transport.ts"
import { contactTable } from "../../src/modules/contacts/index.ts"
import { changeEmail, saveReport } from "../../src/modules/emails/ledger.ts"
import type { Email } from "../../src/modules/emails/table.ts"
import { appOfTest, type TestApp } from "../harness/app.ts"
import { accept, countByStatus, eventsOf, marketing, rowOf, send } from "../harness/mails.ts"
import { refuseChanges } from "../harness/refused-changes.ts"
import { until } from "../harness/store.ts"

let it: TestApp
beforeEach(async () => {
  it = await appOfTest()
})

test("an email.sent event is stored once for each sent mail, with the data of the contract", async () => {
  const [id] = await send(it, "ada@example.com")
  const [bulk] = await accept(it, { ...marketing, fromName: null }, "bo@example.com")
  expect(await eventsOf(it, "email.sent", id)).toEqual([])
  await it.settle()
  const at = iso(it.clock.now())
  const row = await rowOf(it, id)
  expect(await eventsOf(it, "email.sent", id)).toMatchObject([
    {
      projectId: it.project.id,
      contactId: row.contactId,
      createdAt: it.clock.now(),
      data: {
        subject: "To ada@example.com",
        from: "hi@acme.test",
        fromName: "Acme",
        messageId: `${id}@acme.test`,
        emailId: id,
        templateId: null,
        campaignId: null,
        sourceType: "TRANSACTIONAL",
        sentAt: at,
      },
    },
  ])
  const [event] = await eventsOf(it, "email.sent", bulk)
  expect(event?.data).toEqual({
    subject: "News",
    from: "hi@acme.test",
    fromName: null,
    messageId: `${bulk}@acme.test`,
    emailId: bulk ?? "",
    templateId: null,
    campaignId: (await rowOf(it, bulk)).campaignId,
    sourceType: "CAMPAIGN",
    sentAt: at,
  })
  await it.advance({ days: 2 })
  expect(
    [await eventsOf(it, "email.sent", id), await eventsOf(it, "email.sent", bulk)].map(({ length }) => length),
  ).toEqual([1, 1])
})

test("a report that arrives before the receipt loses neither the times nor the event", async () => {
  it.transport.answer = async ({ id }) => {
    await it.app.store.write(it.project.id, (unit) => it.app.emails.report(unit, id, { kind: "delivery" }))
    return sent("p-1")
  }
  const [id] = await send(it, "ada@example.com")
  await it.settle()
  const now = it.clock.now()
  expect(await rowOf(it, id)).toMatchObject({
    status: "DELIVERED",
    deliveredAt: now,
    sentAt: now,
    providerId: "p-1",
    leaseUntil: null,
  })
  expect(await eventsOf(it, "email.sent", id)).toHaveLength(1)
  expect(await eventsOf(it, "email.delivery", id)).toHaveLength(1)
})

test("a message that was reported as delivered is not handed over again after a negative receipt", async () => {
  it.transport.answer = async ({ id }) => {
    await it.app.store.write(it.project.id, (unit) => it.app.emails.report(unit, id, { kind: "delivery" }))
    return deferred("the answer was lost")
  }
  const [id] = await send(it, "ada@example.com")
  await it.settle()
  expect((await rowOf(it, id)).status).toBe("DELIVERED")
  await it.advance({ days: 2 })
  expect(it.sent()).toHaveLength(1)
})

test("a contact that is deleted while its mail is handed over delays no receipt", async () => {
  it.transport.answer = async ({ to }) => {
    if (to.address !== "gone@example.com") return sent(null)
    await it.app.store.write(it.project.id, async (unit) => {
      await unit.db.delete(contactTable).where(eq(contactTable.email, to.address))
    })
    return sent(null)
  }
  const [id] = await send(it, "ada@example.com", "gone@example.com", "bo@example.com")
  await it.settle()
  expect(await countByStatus(it)).toEqual({ SENT: 2 })
  expect(await eventsOf(it, "email.sent", id)).toHaveLength(1)
  expect(it.complaints).toEqual([])
})

test("a receipt that cannot be stored is retried until it is, and the mail is sent once", async () => {
  let allow = async () => {}
  it.transport.answer = async () => {
    allow = await refuseChanges(it.app.store, { change: "UPDATE", table: "email" })
    return sent("p-1")
  }
  const [id] = await send(it, "ada@example.com")
  const settled = it.settle()
  const stuck = () => it.complaints.filter(({ message }) => message.startsWith("A receipt could not be stored")).length
  for (let retry = 1; retry <= 3; retry++) {
    await until(() => stuck() === retry)
    expect((await rowOf(it, id)).status).toBe("SENDING")
    if (retry === 3) await allow()
    await it.clock.advance(1_000)
  }
  await settled
  expect(await rowOf(it, id)).toMatchObject({ status: "SENT", providerId: "p-1", attempt: 1 })
  expect(await eventsOf(it, "email.sent", id)).toHaveLength(1)
  expect(it.sent()).toHaveLength(1)
})

test("a receipt is retried for longer than a lease, and the mail is not handed over again", async () => {
  let allow = async () => {}
  it.transport.answer = async () => {
    allow = await refuseChanges(it.app.store, { change: "UPDATE", table: "email", status: "SENT" })
    return sent("p-1")
  }
  const { delivery } = it.app.emails
  const [id] = await send(it, "ada@example.com")
  delivery.loop.start()
  await until(() => it.complaints.length > 0)
  await it.clock.advance(15 * 60_000)
  await allow()
  await until(async () => {
    await it.clock.advance(1_000)
    return (await rowOf(it, id)).status !== "SENDING"
  })
  expect(await rowOf(it, id)).toMatchObject({ status: "SENT", attempt: 1 })
  expect(it.sent()).toHaveLength(1)
})

test("a change of a message whose status changed since it was read is applied to the current message", async () => {
  const [id = ""] = await send(it, "ada@example.com")
  await it.settle()
  const statuses: string[] = []
  await it.app.store.write(it.project.id, (unit) =>
    changeEmail(unit, id, (email) => {
      statuses.push(email.status)
      // The first read is outdated, as with an engine that runs units concurrently.
      const read: Email = statuses.length === 1 ? { ...email, status: "SENDING" } : email
      return saveReport(unit, read, { status: "DELIVERED", deliveredAt: unit.now })
    }),
  )
  expect(statuses).toEqual(["SENT", "SENT"])
  expect(await rowOf(it, id)).toMatchObject({ status: "DELIVERED", deliveredAt: it.clock.now() })
})
