import { expect, test } from "bun:test"
import { readdirSync, renameSync } from "node:fs"
import { join } from "node:path"
import { sql } from "drizzle-orm"
import { minute, second } from "../../src/kernel/clock.ts"
import { deferred, type Outgoing, type Receipt, sent } from "../../src/mail/transport.ts"
import { idValue } from "../../src/store/dialect.ts"
import { appOfTest } from "../harness/app.ts"
import { accept, addresses, countByStatus, marketing, recipients, rowOf, send } from "../harness/mails.ts"
import { refuseChanges } from "../harness/refused-changes.ts"
import { fillDisk, freeDisk, until } from "../harness/store.ts"

test("a transport that throws is logged, and the outcome of its mail is unknown", async () => {
  const it = await appOfTest()
  it.transport.answer = () => {
    throw new Error("A fault in the plugin.")
  }
  const [id] = await send(it, "ada@example.com")
  const [bulk] = await accept(it, marketing, "bo@example.com")
  await it.settle()
  expect(await rowOf(it, id)).toMatchObject({ status: "PENDING", attempt: 1, dueAt: it.clock.now() + minute })
  expect(await rowOf(it, bulk)).toMatchObject({ status: "FAILED", error: "outcome_unknown" })
  expect(it.complaints.map(({ level, fields }) => [level, fields.reason])).toEqual([
    ["error", "A fault in the plugin."],
    ["error", "A fault in the plugin."],
  ])
  it.transport.answer = () => sent(null)
  await it.advance({ minutes: 1 })
  expect((await rowOf(it, id)).status).toBe("SENT")
})

test("a transport that never answers blocks its connections for ten minutes, not permanently", async () => {
  const it = await appOfTest()
  it.transport.answer = () => new Promise(() => {})
  const hung = await accept(it, {}, ...addresses(3))
  const [bulk] = await accept(it, marketing, "bulk@example.com")
  const settled = it.settle()
  await until(() => it.sent().length === 4)
  const [waiting] = await send(it, "bo@example.com")
  await it.clock.advance(10 * minute - 1)
  expect(it.sent()).toHaveLength(4)
  it.transport.answer = () => sent(null)
  await it.clock.advance(1)
  await settled
  for (const id of hung)
    expect(await rowOf(it, id)).toMatchObject({ status: "PENDING", attempt: 1, dueAt: it.clock.now() + minute })
  expect(await rowOf(it, bulk)).toMatchObject({ status: "FAILED", error: "outcome_unknown" })
  expect((await rowOf(it, waiting)).status).toBe("SENT")
  await it.advance({ minutes: 1 })
  expect(await countByStatus(it)).toEqual({ SENT: 4, FAILED: 1 })
})

test("a call is aborted before its claim ends, so that it is over when another begins", async () => {
  const it = await appOfTest()
  let isCalled = false
  const whenAborted = (messages: readonly Outgoing[], signal: AbortSignal) =>
    new Promise<Receipt[]>((resolve) => {
      isCalled = true
      signal.addEventListener("abort", () => resolve(messages.map(() => deferred("Too slow."))))
    })
  Object.assign(it.transport, { send: whenAborted })
  const [id] = await send(it, "ada@example.com")
  const settled = it.settle()
  await until(() => isCalled)
  await it.clock.advance(9 * minute)
  expect((await rowOf(it, id)).status).toBe("SENDING")
  await it.clock.advance(minute - second)
  await settled
  expect(await rowOf(it, id)).toMatchObject({ status: "PENDING", attempt: 1, error: "Too slow." })
  expect(it.complaints).toEqual([])
})

test("a late answer of an abandoned call changes nothing", async () => {
  const it = await appOfTest()
  const late = Promise.withResolvers<Receipt>()
  it.transport.answer = () => late.promise
  const [id] = await send(it, "ada@example.com")
  const settled = it.settle()
  await until(() => it.sent().length === 1)
  await it.clock.advance(10 * minute)
  await settled
  late.resolve(sent("late"))
  await it.settle()
  expect(await rowOf(it, id)).toMatchObject({ status: "PENDING", attempt: 1, providerId: null })
})

test("a file that cannot be read temporarily defers the mail, and its path is not shown", async () => {
  const it = await appOfTest()
  const content = Buffer.from("the bill").toString("base64")
  const attachments = [{ filename: "bill.txt", content, contentType: "text/plain" }]
  const body = { to: "ada@example.com", from: "hi@acme.test", subject: "Bill", body: "<p>Here</p>", attachments }
  const answer = await it.api("POST /v1/send", { body })
  const id: string = answer.body.data.emails[0].email
  const files = join(it.folder, "files")
  renameSync(files, `${files}-away`)
  await it.settle()
  const row = await rowOf(it, id)
  expect(row).toMatchObject({ status: "PENDING", attempt: 1, dueAt: it.clock.now() + minute })
  expect(row.error).not.toContain(it.folder)
  expect(it.sent()).toEqual([])
  expect(it.complaints).toMatchObject([
    { level: "error", fields: { email: id, reason: expect.stringContaining("ENOENT") } },
  ])
  renameSync(`${files}-away`, files)
  expect(readdirSync(files).filter((name) => name !== "drafts")).toHaveLength(1)
  await it.advance({ minutes: 1 })
  expect(it.sent()[0]?.attachments[0]?.content).toEqual(Buffer.from("the bill"))
  expect((await rowOf(it, id)).status).toBe("SENT")
})

test("a message that can never be made fails at once and delays no other", async () => {
  const it = await appOfTest()
  const [id] = await send(it, "ada@example.com", "bo@example.com")
  await it.app.store.write(it.project.id, async (unit) => {
    await unit.db.run(
      sql`UPDATE email SET to_address = ${"ada@example.com\r\nBcc: eve@example.com"} WHERE id = ${idValue(id ?? "")}`,
    )
  })
  await it.settle()
  expect(await rowOf(it, id)).toMatchObject({ status: "FAILED", attempt: 1, error: "to.email is no email address." })
  expect(recipients(it.sent())).toEqual(["bo@example.com"])
})

test("mail whose content is deleted fails with that reason", async () => {
  const it = await appOfTest()
  const [id] = await send(it, "ada@example.com")
  await it.app.store.write(it.project.id, async (unit) => void (await unit.db.run(sql`DELETE FROM content`)))
  await it.settle()
  expect(await rowOf(it, id)).toMatchObject({ status: "FAILED", error: "The content of this message is gone." })
})

test("while the store cannot be written no mail is handed over, and afterwards all of it is sent once", async () => {
  const it = await appOfTest()
  await send(it, ...addresses(10))
  const allow = await refuseChanges(it.app.store, { change: "UPDATE", table: "email" })
  it.app.emails.delivery.loop.start()
  await until(() => it.complaints.length >= 1)
  await it.clock.advance(5_000)
  expect(it.sent()).toEqual([])
  await allow()
  await until(async () => {
    await it.clock.advance(1_000)
    return (await countByStatus(it)).SENT === 10
  })
  expect(recipients(it.sent()).toSorted()).toEqual(addresses(10).toSorted())
})

test("while the ledger cannot be read the loop keeps trying, and then sends", async () => {
  const it = await appOfTest()
  await send(it, "ada@example.com")
  const rename = (from: string, to: string) =>
    it.app.store.write(
      it.project.id,
      async (unit) => void (await unit.db.run(sql.raw(`ALTER TABLE ${from} RENAME TO ${to}`))),
    )
  await rename("email", "away")
  it.app.emails.delivery.loop.start()
  await until(async () => {
    await it.clock.advance(1_000)
    return it.complaints.length >= 3
  })
  expect(it.complaints.every(({ level }) => level === "error")).toBe(true)
  await rename("away", "email")
  await until(async () => {
    await it.clock.advance(1_000)
    return (await countByStatus(it)).SENT === 1
  })
})

test("a disk that is full between hand-over and receipt loses no receipt", async () => {
  const it = await appOfTest()
  // Longer than the pages that a migration may have left free in the file.
  it.transport.answer = async ({ id }) => {
    await fillDisk(it.app.store)
    return { outcome: "sent", providerId: id.padEnd(80_000, "x") }
  }
  const [id] = await send(it, "ada@example.com")
  const settled = it.settle()
  await until(() => it.complaints.some(({ message }) => message.startsWith("A receipt could not be stored")))
  expect((await rowOf(it, id)).status).toBe("SENDING")
  await freeDisk(it.app.store)
  await it.clock.advance(1_000)
  await settled
  expect(await rowOf(it, id)).toMatchObject({ status: "SENT", attempt: 1 })
  expect(it.sent()).toHaveLength(1)
})
