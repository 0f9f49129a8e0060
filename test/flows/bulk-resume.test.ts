import { describe, expect, test } from "bun:test"
import { asc } from "drizzle-orm"
import { contactTable } from "../../src/modules/contacts/index.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { bulkOf, startBulk } from "../harness/bulk.ts"
import { addContact, importFile } from "../harness/imports.ts"
import { runJobsUntil } from "../harness/running-jobs.ts"
import { countEffects } from "../harness/scenarios.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
const count = 3_000

/** An app with that many subscribed contacts. */
async function crowded(home: string): Promise<TestApp> {
  const it = await startTestApp({ folder: home })
  const rows = Array.from({ length: count }, (_, n) => `reader${n}@example.com`)
  await importFile(it, `email\n${rows.join("\n")}\n`)
  return it
}

const contactsIn = ({ app }: TestApp) => app.store.read.select().from(contactTable).orderBy(asc(contactTable.seq))

/** Starts a bulk job and lets it run to some extent. */
const underWay = (it: TestApp, jobId: string) => runJobsUntil(it, async () => (await bulkOf(it, jobId)).succeeded > 0)

/** Stops the app while the job is running and starts it again. */
async function interrupted(it: TestApp, home: string, jobId: string): Promise<TestApp> {
  const { over } = await underWay(it, jobId)
  const { clock, ids } = it
  await it.stop()
  await over
  const again = await startTestApp({ folder: home, clock, ids })
  const half = await bulkOf(again, jobId)
  expect(half).toMatchObject({ status: "processing", finishedAt: null, processed: half.succeeded + half.failed })
  expect(half.processed).toBeGreaterThan(0)
  expect(half.progress).toBeLessThan(100)
  return again
}

describe("an interrupted bulk job continues where it was", () => {
  test.each([
    ["state", { subscribed: true }],
    ["text", { find: "reader" }],
  ])("by a query for a %s, with one event for each change", async (_, filter) => {
    const home = folder()
    const first = await crowded(home)
    const jobId = await startBulk(first, "unsubscribe", { mode: "query", filter })
    const it = await interrupted(first, home, jobId)
    const { succeeded } = await bulkOf(it, jobId)
    expect((await countEffects(it)).events).toEqual({ "contact.unsubscribed": succeeded })
    await it.settle()
    expect(await bulkOf(it, jobId)).toMatchObject({ status: "completed", total: count, succeeded: count, failed: 0 })
    expect((await countEffects(it)).events).toEqual({ "contact.unsubscribed": count })
    expect((await contactsIn(it)).filter(({ subscribed }) => subscribed)).toEqual([])
    await it.close()
  })

  test("by query, while it deletes the contacts it walks over", async () => {
    const home = folder()
    const first = await crowded(home)
    const kept = (await contactsIn(first)).filter((_, at) => at % 3 === 0).map(({ id }) => id)
    const jobId = await startBulk(first, "delete", { mode: "query", filter: {}, excludeIds: kept })
    const it = await interrupted(first, home, jobId)
    const meant = count - kept.length
    expect((await bulkOf(it, jobId)).total).toBe(meant)
    await it.settle()
    expect(await bulkOf(it, jobId)).toMatchObject({ status: "completed", total: meant, succeeded: meant, failed: 0 })
    expect((await contactsIn(it)).map(({ id }) => id)).toEqual(kept)
    await it.close()
  })

  test("by ids, counting the unknown ones once", async () => {
    const home = folder()
    const first = await crowded(home)
    const known = (await contactsIn(first)).slice(0, 900).map(({ id }) => id)
    const unknown = Array.from({ length: 100 }, (_, n) => `0199c0de-0000-7000-9000-${String(n).padStart(12, "0")}`)
    const contactIds = known.flatMap((id, n) => (n % 9 === 0 ? [id, unknown[n / 9] ?? ""] : [id]))
    const jobId = await startBulk(first, "unsubscribe", { contactIds })
    const it = await interrupted(first, home, jobId)
    await it.settle()
    const job = await bulkOf(it, jobId)
    expect(job).toMatchObject({ status: "completed", total: 1_000, processed: 1_000, succeeded: 900, failed: 100 })
    expect(job.errors.map((error: { contactId: string }) => error.contactId)).toEqual(unknown)
    expect((await countEffects(it)).events).toEqual({ "contact.unsubscribed": 900 })
    await it.close()
  })
})

describe("a bulk job by query", () => {
  test.each([
    ["few", "reader12", 111],
    ["many", "READER", count],
    ["by a text that is too short for an index", "99", 57],
    ["none", "nobody", 0],
  ])("finds %s among many contacts", async (_, search, found) => {
    const it = await crowded(folder())
    const jobId = await startBulk(it, "unsubscribe", { mode: "query", filter: { search } })
    await it.settle()
    expect(await bulkOf(it, jobId)).toMatchObject({ status: "completed", total: found, succeeded: found, failed: 0 })
    expect((await countEffects(it)).events).toEqual(found > 0 ? { "contact.unsubscribed": found } : {})
    await it.close()
  })

  test("counts only its changes when others change contacts first", async () => {
    const it = await crowded(folder())
    const jobId = await startBulk(it, "delete", { mode: "query", filter: { subscribed: true } })
    const { over } = await underWay(it, jobId)
    const before = await bulkOf(it, jobId)
    const last = (await contactsIn(it)).slice(-2)
    await addContact(it, last[0]?.email ?? "", {}, false)
    await it.app.store.write(it.project.id, async (unit) => {
      await it.app.contacts.removeIn(unit, it.project.id, last[1]?.id ?? "")
    })
    await over
    const job = await bulkOf(it, jobId)
    expect(before.total).toBe(count)
    expect(job).toMatchObject({ status: "completed", progress: 100, failed: 0 })
    expect([job.total, job.processed, job.succeeded]).toEqual([count - 2, count - 2, count - 2])
    expect((await contactsIn(it)).map(({ email }) => email)).toEqual([last[0]?.email ?? ""])
    await it.close()
  })
})
