import { describe, expect, test } from "bun:test"
import { bulkRun } from "../../src/modules/bulk/jobs.ts"
import { bulkSelectionTable, bulkTable } from "../../src/modules/bulk/table.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { bulkOf, runBulk, startBulk } from "../harness/bulk.ts"
import { seedContacts } from "../harness/contacts.ts"
import { runJobsUntil } from "../harness/running-jobs.ts"
import { countEffects } from "../harness/scenarios.ts"
import { fillDisk, freeDisk } from "../harness/store.ts"

const count = 3_000
const everyone = { mode: "query", filter: {} }

async function crowded(): Promise<TestApp> {
  const it = await startTestApp()
  await seedContacts(it, count, () => ({}))
  return it
}

const selections = (it: TestApp) => it.app.store.read.select().from(bulkSelectionTable)
const reasons = (it: TestApp) => it.complaints.map(({ fields }) => fields.reason)

describe("a bulk job whose runs end with their process", () => {
  /** Makes this many runs end without storing a slice. */
  async function afterVainRuns(runs: number) {
    const it = await crowded()
    const jobId = await startBulk(it, "unsubscribe", everyone)
    await it.app.store.write(it.project.id, async (unit) => {
      await unit.db.update(bulkTable).set({ idleRuns: runs })
    })
    await it.settle()
    return { it, job: await bulkOf(it, jobId) }
  }

  test("is failed, and its selection is deleted", async () => {
    const { it, job } = await afterVainRuns(20)
    expect(job).toMatchObject({ status: "failed", succeeded: 0, failed: 0, finishedAt: "2026-01-31T09:15:00.000Z" })
    expect(reasons(it)).toEqual(["It was interrupted too often."])
    expect((await countEffects(it)).events).toEqual({})
    expect(await selections(it)).toEqual([])
    await it.close()
  })

  test("has one more try before that", async () => {
    const { it, job } = await afterVainRuns(19)
    expect(job).toMatchObject({ status: "completed", succeeded: count })
    expect(it.complaints).toEqual([])
    await it.close()
  })
})

test("a bulk job that meets a full disk is tried again, and counts nothing twice", async () => {
  const it = await crowded()
  const jobId = await startBulk(it, "unsubscribe", everyone)
  const { over } = await runJobsUntil(it, async () => (await bulkOf(it, jobId)).succeeded > 0)
  await fillDisk(it.app.store)
  await over
  const half = await bulkOf(it, jobId)
  expect(half).toMatchObject({ status: "processing", total: count, finishedAt: null })
  expect((await countEffects(it)).events).toEqual({ "contact.unsubscribed": half.succeeded })

  await freeDisk(it.app.store)
  await it.advance({ hours: 1 })
  expect(await bulkOf(it, jobId)).toMatchObject({ status: "completed", total: count, succeeded: count, failed: 0 })
  expect((await countEffects(it)).events).toEqual({ "contact.unsubscribed": count })
  await it.close()
})

test("a bulk job that runs twice at the same time counts each contact once", async () => {
  const it = await crowded()
  const jobId = await startBulk(it, "delete", everyone)
  await it.app.store.write(it.project.id, (unit) =>
    it.app.jobs.enqueue(unit, bulkRun, { projectId: it.project.id, jobId }),
  )
  await it.settle()
  expect((await countEffects(it)).contacts).toBe(0)
  expect(await bulkOf(it, jobId)).toMatchObject({ succeeded: count, failed: 0 })
  expect(reasons(it)).toEqual(["Another run of this job has done the slice."])
  await it.close()
})

test("a finished bulk job has no stored selection", async () => {
  const it = await startTestApp()
  const [one] = await seedContacts(it, 2, () => ({}))
  for (const body of [{ contactIds: [one?.id] }, everyone]) {
    expect(await runBulk(it, "delete", body)).toMatchObject({ status: "completed", succeeded: 1 })
    expect(await selections(it)).toEqual([])
  }
  await it.close()
})

test("a bulk job by a very common text evaluates contacts when it reaches them", async () => {
  const it = await startTestApp()
  const people = await seedContacts(it, count, (at) => ({
    email: `${at < count - 1 ? "reader" : "other"}${at}@acme.test`,
  }))
  const jobId = await startBulk(it, "delete", { mode: "query", filter: { search: "reader" } })
  const { over } = await runJobsUntil(it, async () => (await bulkOf(it, jobId)).succeeded > 0)
  // The last contact contains the text by the time the job reaches it.
  const renamed = await it.api(`PATCH /contacts/${people.at(-1)?.id}`, { body: { email: "reader@example.com" } })
  expect(renamed.status).toBe(200)
  await over
  expect(await bulkOf(it, jobId)).toMatchObject({ status: "completed", total: count, succeeded: count })
  expect((await countEffects(it)).contacts).toBe(0)
  await it.close()
})
