import { describe, expect, test } from "bun:test"
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { contactTable } from "../../src/modules/contacts/index.ts"
import { importRun } from "../../src/modules/imports/jobs.ts"
import { importTable } from "../../src/modules/imports/table.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { addContact, importFile, importOf, upload } from "../harness/imports.ts"
import { runJobsUntil } from "../harness/running-jobs.ts"
import { countEffects } from "../harness/scenarios.ts"
import { fillDisk, freeDisk, scratch } from "../harness/store.ts"

const folder = scratch()

/** 12,000 rows: every fifth has an invalid address, every seventh repeats an earlier row. */
const rows = Array.from({ length: 12_000 }, (_, n) => {
  if (n % 5 === 4) return `nobody${n},${n}`
  return n % 7 === 6 ? `reader${n - 6}@example.com,${n}` : `reader${n}@example.com,${n}`
})
const file = `email,n\n${rows.join("\n")}\n`
/** A file with much work. */
const longFile = `email\n${Array.from({ length: 40_000 }, (_, n) => `long${n}@example.com`).join("\n")}\n`

const contactsIn = async ({ app }: TestApp) =>
  (await app.store.read.select().from(contactTable).orderBy(contactTable.email)).map(({ email, subscribed, data }) => ({
    email,
    subscribed,
    data,
  }))

/** The result of the file without interruption. */
async function undisturbed() {
  const it = await startTestApp()
  const { jobId: _, createdAt: _c, finishedAt: _f, ...job } = await importFile(it, file)
  const contacts = await contactsIn(it)
  await it.close()
  return { job, contacts }
}

/** Starts an import and lets it run to some extent. */
const underWay = (it: TestApp, jobId: string) => runJobsUntil(it, async () => (await importOf(it, jobId)).imported > 0)

describe("an import", () => {
  test("that is interrupted continues where it was when the server is back", async () => {
    const home = folder()
    let it = await startTestApp({ folder: home })
    const jobId = await upload(it, file)
    const { over } = await underWay(it, jobId)
    const { clock, ids } = it
    await it.stop()
    await over

    it = await startTestApp({ folder: home, clock, ids })
    const half = await importOf(it, jobId)
    expect(half).toMatchObject({ status: "processing", totalRows: 12_000, finishedAt: null })
    expect(half.progress).toBeGreaterThan(0)
    expect(half.progress).toBeLessThan(100)
    expect(half.imported).toBe((await contactsIn(it)).length)

    await it.settle()
    const { job, contacts } = await undisturbed()
    expect(await importOf(it, jobId)).toMatchObject(job)
    expect(await contactsIn(it)).toEqual(contacts)
    expect(readdirSync(join(home, "imports"))).toEqual([])
    expect(it.complaints).toEqual([])
    await it.close()
  })

  test("that meets a full disk is tried again, and counts nothing twice", async () => {
    const it = await startTestApp({ folder: folder() })
    const jobId = await upload(it, file)
    const { over } = await underWay(it, jobId)
    await fillDisk(it.app.store)
    await over
    const half = await importOf(it, jobId)
    expect(half).toMatchObject({ status: "processing", failedReason: null })
    expect(half.imported).toBe((await contactsIn(it)).length)

    await freeDisk(it.app.store)
    await it.advance({ hours: 1 })
    const { job, contacts } = await undisturbed()
    expect(await importOf(it, jobId)).toMatchObject(job)
    expect(await contactsIn(it)).toEqual(contacts)
    await it.close()
  })

  test("lets other work run between its slices", async () => {
    const it = await startTestApp({ folder: folder() })
    const jobId = await upload(it, longFile)
    const { over } = await underWay(it, jobId)
    const seen: number[] = []
    for (let n = 0; n < 3; n++) {
      await addContact(it, `other${n}@example.org`)
      seen.push((await importOf(it, jobId)).progress)
    }
    expect(seen.at(-1)).toBeLessThan(100)
    await over
    expect(await importOf(it, jobId)).toMatchObject({ status: "completed", imported: 40_000 })
    await it.close()
  })

  test("does not delay a later one", async () => {
    const it = await startTestApp({ folder: folder() })
    const large = await upload(it, longFile)
    const first = await underWay(it, large)
    const small = await upload(it, "email\nada@example.com\n")
    const second = await runJobsUntil(it, async () => (await importOf(it, small)).status === "completed")
    expect((await importOf(it, large)).status).toBe("processing")
    await Promise.all([first.over, second.over])
    await it.close()
  })
})

test("an import that crashes its process each time is failed", async () => {
  const it = await startTestApp({ folder: folder() })
  const jobId = await upload(it, file)
  // This many runs ended with their process, without storing a slice.
  await it.app.store.write(it.project.id, async (unit) => {
    await unit.db.update(importTable).set({ idleRuns: 20 })
  })
  await it.settle()
  const job = await importOf(it, jobId)
  expect(job).toMatchObject({ status: "failed", imported: 0, finishedAt: "2026-01-31T09:15:00.000Z" })
  expect(job.failedReason).toContain("our side")
  expect(it.complaints.map(({ fields }) => fields.reason)).toEqual(["It was interrupted too often."])
  expect(readdirSync(join(it.folder, "imports"))).toEqual([])
  await it.close()
})

test("an import that runs twice at the same time counts each row once", async () => {
  const it = await startTestApp({ folder: folder() })
  const people = Array.from({ length: 6_000 }, (_, n) => `reader${n}@example.com`)
  const jobId = await upload(it, `email\n${people.join("\n")}\n`)
  await it.app.store.write(it.project.id, (unit) =>
    it.app.jobs.enqueue(unit, importRun, { projectId: it.project.id, jobId }),
  )
  await it.settle()
  expect(await contactsIn(it)).toHaveLength(6_000)
  expect(await importOf(it, jobId)).toMatchObject({ imported: 6_000, updated: 0, skipped: 0 })
  expect(it.complaints.map(({ fields }) => fields.reason)).toEqual(["Another run of this job has done the slice."])
  await it.close()
})

test("two imports of one address at the same time make one contact", async () => {
  const it = await startTestApp({ folder: folder() })
  const [one, other] = [await upload(it, file), await upload(it, file)]
  await it.settle()
  const [first, second] = [await importOf(it, one), await importOf(it, other)]
  const contacts = await contactsIn(it)
  expect(first.imported + second.imported).toBe(contacts.length)
  expect(first.updated + second.updated + contacts.length).toBe(2 * rows.filter((row) => row.includes("@")).length)
  expect((await countEffects(it)).contacts).toBe(contacts.length)
  await it.close()
})

test("a start deletes files that no import needs, and keeps the others", async () => {
  const home = folder()
  const first = await startTestApp({ folder: home })
  const jobId = await upload(first, file)
  const { clock, ids } = first
  await first.stop()
  mkdirSync(join(home, "imports"), { recursive: true })
  writeFileSync(join(home, "imports", "0199c0de-0000-7000-8000-00000000beef.csv"), "email\nleft@behind.example\n")

  const it = await startTestApp({ folder: home, clock, ids })
  expect(readdirSync(join(home, "imports"))).toEqual([`${jobId}.csv`])
  await it.settle()
  expect(await importOf(it, jobId)).toMatchObject({ status: "completed", totalRows: 12_000 })
  await it.close()
})
