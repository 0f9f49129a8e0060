import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { count, eq, sql } from "drizzle-orm"
import { day } from "../../src/kernel/clock.ts"
import { deferred, sent } from "../../src/mail/transport.ts"
import { contentTable, emailTable } from "../../src/modules/emails/index.ts"
import { rawMessageTable } from "../../src/modules/originals/index.ts"
import { signIn, signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { imageOf, uploadImage } from "../harness/images.ts"
import { accept } from "../harness/mails.ts"
import { receiveInSandbox } from "../harness/sandbox-intake.ts"

let it: TestApp
beforeEach(async () => {
  it = await startTestApp({ settings: { "retention.content_days": "10" } })
})
afterEach(() => it.close())

const body = "<p>Hello {{name ?? you}}</p>"
const mailTo = (to: string) => ({ to, from: "hi@acme.test", subject: "Hi", body, data: { name: "Ada" } })
const send = async (it: TestApp, fields: Record<string, unknown> = {}): Promise<string> => {
  const mail = { ...mailTo("ada@example.com"), ...fields }
  const answer = await it.api("POST /v1/send", { body: mail })
  expect([answer.status, answer.status < 300 ? "" : answer.body]).toEqual([200, ""])
  await it.settle()
  return answer.body.data.emails[0].email
}
const read = async (it: TestApp, id: string) => (await it.api(`GET /emails/${id}`)).body
const attachment = (text: string) => ({ filename: "a.txt", contentType: "text/plain", content: btoa(text) })
const cleared = { html: null, text: null, headers: {}, attachments: [] }

const files = (it: TestApp): number => {
  const folder = join(it.folder, "files")
  if (!existsSync(folder)) return 0
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
}
const rowsOf = async (it: TestApp, table: string): Promise<number> =>
  (await it.app.store.read.all<{ n: number }>(sql`SELECT count(*) AS n FROM ${sql.identifier(table)}`))[0]?.n ?? 0

describe("The content of mail", () => {
  test("is cleared after its days, with its variables and attachments; the record stays (contract B10.1)", async () => {
    const id = await send(it, { attachments: [attachment("old")] })
    const before = await read(it, id)
    expect([before.html, before.attachments.length]).toEqual([expect.stringContaining("Hello Ada"), 1])
    await it.advance({ days: 9 })
    expect(await read(it, id)).toEqual(before)
    await it.advance({ days: 2 })
    const { html: _html, text: _text, headers: _headers, attachments: _attachments, ...record } = before
    expect(await read(it, id)).toEqual({ ...record, ...cleared })
    expect(await it.app.store.read.all(sql`SELECT variables FROM email`)).toEqual([{ variables: null }])
    await it.advance({ days: 2 })
    expect([await rowsOf(it, "content"), files(it)]).toEqual([0, 0])
    expect((await it.api("GET /inbox")).body.data[0]).toMatchObject({ id, snippet: null, source: "API" })
    expect(await rowsOf(it, "inbox_text")).toBe(0)
  })

  test("stays for newer mail of another project with the same content", async () => {
    await accept(it, {}, "ada@example.com")
    await it.settle()
    const { id: projectId } = await it.app.projects.create("Other")
    await it.advance({ days: 8 })
    await accept(it, { projectId }, "bo@example.com")
    await it.advance({ days: 4 })
    const { projectId: of } = contentTable
    expect(await it.app.store.read.select({ of }).from(contentTable)).toEqual([{ of: projectId }])
  })

  test("stays for newer mail with the same content, and is there again for mail after it was deleted", async () => {
    const old = await send(it)
    await it.advance({ days: 6 })
    const newer = await send(it)
    await it.advance({ days: 6 })
    expect(await read(it, old)).toMatchObject(cleared)
    expect((await read(it, newer)).html).toContain("Hello Ada")
    await it.advance({ days: 30 })
    expect(await rowsOf(it, "content")).toBe(0)
    expect((await read(it, await send(it))).html).toContain("Hello Ada")
    expect(it.complaints).toEqual([])
  })

  test("that is sent every day is never deleted between two mails", async () => {
    for (let sent = 0; sent < 25; sent++) {
      const id = await send(it)
      await it.advance({ days: 1 })
      expect((await read(it, id)).html).toContain("Hello Ada")
    }
    expect(await rowsOf(it, "content")).toBe(1)
  })

  test("of mail that waits to be sent is kept, however old (contract B10.1)", async () => {
    await it.close()
    it = await startTestApp({ settings: { "retention.content_days": "0.1", "retention.sweep_seconds": "600" } })
    it.transport.answer = () => deferred("Later.")
    const id = await send(it)
    await it.advance({ hours: 12 })
    expect([(await read(it, id)).status, (await read(it, id)).html]).toEqual([
      "PENDING",
      expect.stringContaining("Ada"),
    ])
    it.transport.answer = () => sent("at last")
    await it.advance({ hours: 9 })
    expect((await read(it, id)).status).toBe("SENT")
    expect(it.sent().at(-1)?.html).toContain("Hello Ada")
    await it.advance({ hours: 1 })
    expect(await read(it, id)).toMatchObject(cleared)
    expect(await rowsOf(it, "content")).toBe(0)
  })

  test("is kept for ever with 0 days (contract B10.1)", async () => {
    await it.close()
    it = await startTestApp({ settings: { "retention.content_days": "0" } })
    const id = await send(it)
    await it.advance({ days: 1_000 })
    expect((await read(it, id)).html).toContain("Hello Ada")
  })

  test.each(["0", "90"])(
    "of deleted mail goes with the daily sweep, also with %s days (contract B10.10)",
    async (days) => {
      await it.close()
      it = await startTestApp({ settings: { "retention.content_days": days } })
      const shared = { attachments: [attachment("for both")] }
      const kept = await send(it, { ...shared, to: "bo@example.com" })
      await send(it, shared)
      const own = await send(it, { body: "<p>For Ada alone</p>", attachments: [attachment("hers")] })
      await it.advance({ hours: 2 })
      expect([await rowsOf(it, "content"), files(it)]).toEqual([2, 2])
      await it.api(`DELETE /contacts/${(await read(it, own)).contactId}`)
      await it.advance({ days: 1 })
      expect([await rowsOf(it, "content"), await rowsOf(it, "inbox_text"), files(it)]).toEqual([1, 1, 1])
      expect((await read(it, kept)).html).toContain("Hello Ada")
      // The same content again, which this process had stored before.
      expect((await read(it, await send(it, { body: "<p>For Ada alone</p>" }))).html).toContain("For Ada alone")
    },
  )
})

test("old rows are deleted, others stay, and the owner of the server sees how many (contract B10.8)", async () => {
  const owner = await signUp(it, "owner@acme.test")
  for (let sent = 0; sent < 3; sent++) await send(it, { to: `p${sent}@example.com` })
  const before = (await owner.api("GET /instance/retention")).body
  expect(before.days.flatMap((one: { rows: object }) => Object.keys(one.rows))).not.toContain("content")
  await it.advance({ days: 11 })
  const data = (await (await signIn(it, "owner@acme.test")).api("GET /instance/retention")).body
  expect(data.databaseBytes).toBeGreaterThan(100_000)
  const total = (name: string) =>
    data.days.reduce((sum: number, one: { rows: Record<string, number> }) => sum + (one.rows[name] ?? 0), 0)
  expect(total("content")).toBeGreaterThanOrEqual(3)
})

test("images stay while their project is there (contract B10.9)", async () => {
  const { body } = await uploadImage(it, await imageOf("png", 1))
  await it.advance({ days: 400 })
  const answer = await it.app.fetch(new Request(`http://localhost/uploads/${body.key}`), "127.0.0.1")
  expect(answer.status).toBe(200)
})

test("space is given back to the disk", async () => {
  const noise = () => Buffer.from(crypto.getRandomValues(new Uint8Array(30_000))).toString("base64")
  for (let sent = 0; sent < 100; sent++) await send(it, { body: `<p>${noise()}</p>` })
  const size = () => statSync(join(it.folder, "mailstead.db")).size
  const full = (await it.app.store.space()).bytes
  expect(full).toBeGreaterThan(4_000_000)
  await it.advance({ days: 13 })
  const { bytes, unusedBytes } = await it.app.store.space()
  expect([bytes < full / 2, unusedBytes]).toEqual([true, 0])
  await it.stop()
  expect(size()).toBeLessThan(full / 2)
})

test("space is given back within ten minutes when much was deleted at once (contract B10.12)", async () => {
  await it.close()
  it = await startTestApp({ mode: "sandbox" })
  const sized = async () => (await it.app.store.space()).bytes
  const empty = await sized()
  const text = "A line of an ordinary mail.\r\n".repeat(2_000)
  for (let received = 0; received < 40; received++) await receiveInSandbox(it, `Subject: Hi\r\n\r\n${text}`)
  await it.settle()
  const full = await sized()
  expect(full - empty).toBeGreaterThan(2_000_000)
  await it.api("DELETE /emails")
  expect(await sized()).toBe(full)
  await it.advance({ minutes: 11 })
  expect(await sized()).toBeLessThan(empty + (full - empty) / 4)
  expect(await rowsOf(it, "inbox_text")).toBe(0)
})

test("the request log is kept for its days (contract B10.2)", async () => {
  await send(it)
  const requests = () => rowsOf(it, "request")
  expect(await requests()).toBe(1)
  await it.advance({ days: 29 })
  expect(await requests()).toBe(1)
  await it.advance({ days: 2 })
  expect(await requests()).toBe(0)
})

describe("The sandbox", () => {
  test("keeps the newest messages of each project (contract A8.3.7)", async () => {
    await it.close()
    it = await startTestApp({ mode: "sandbox", settings: { "sandbox.keep_messages": "5" } })
    const ids: string[] = []
    for (let sent = 0; sent < 12; sent++) ids.push(await send(it))
    await it.advance({ minutes: 11 })
    const { data } = (await it.api("GET /emails")).body
    expect(data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(-5).reverse())
    const [raw] = await it.app.store.read.select({ rows: count() }).from(rawMessageTable)
    expect(raw?.rows).toBe(5)
    const [content] = await it.app.store.read.select({ rows: count() }).from(contentTable)
    expect(content?.rows).toBe(1)
  })

  test("keeps its number of messages also when older ones wait to be sent, which stay (contract A8.3.7)", async () => {
    await it.close()
    it = await startTestApp({ mode: "sandbox", settings: { "sandbox.keep_messages": "5" } })
    const ids: string[] = []
    // More than one unit of a sweep looks at.
    for (let sent = 0; sent < 230; sent++)
      ids.push((await it.api("POST /v1/send", { body: mailTo("ada@example.com") })).body.data.emails[0].email)
    await it.settle()
    const [first = "", ...others] = ids
    await it.app.store.write(it.project.id, async (unit) => {
      const waits = { status: "PENDING", dueAt: unit.now + day } as const
      await unit.db.update(emailTable).set(waits).where(eq(emailTable.id, first))
    })
    await it.advance({ minutes: 11 })
    const left = await it.app.store.read.select({ id: emailTable.id }).from(emailTable).orderBy(emailTable.id)
    expect(left.map(({ id }) => id)).toEqual([first, ...others.slice(-5)])
  })

  test("keeps messages for its days (contract A8.3.7)", async () => {
    await it.close()
    it = await startTestApp({ mode: "sandbox", settings: { "sandbox.keep_days": "0.5" } })
    await send(it)
    await it.advance({ hours: 11 })
    const newer = await send(it)
    await it.advance({ hours: 2 })
    expect((await it.api("GET /emails")).body.data.map(({ id }: { id: string }) => id)).toEqual([newer])
  })

  test("clears captured messages with the content of the mail (contract B10.1)", async () => {
    await it.close()
    it = await startTestApp({ mode: "sandbox", settings: { "retention.content_days": "10" } })
    const id = await send(it)
    await it.advance({ days: 11 })
    expect(await read(it, id)).toMatchObject({ ...cleared, status: "DELIVERED" })
    expect((await it.api(`GET /emails/${id}/raw`)).status).toBe(404)
    expect(await rowsOf(it, "raw_message")).toBe(0)
  })
})

test("the copy of the database that a new version has made stays for 14 days (contract B10.11)", async () => {
  const copy = join(it.folder, "mailstead.db.before-0001_next")
  writeFileSync(copy, "the database of the version before")
  const madeAt = it.clock.now() / 1_000
  utimesSync(copy, madeAt, madeAt)
  await it.advance({ days: 13 })
  expect(existsSync(copy)).toBe(true)
  await it.advance({ days: 2 })
  expect(existsSync(copy)).toBe(false)
  expect(existsSync(join(it.folder, "mailstead.db"))).toBe(true)
})
