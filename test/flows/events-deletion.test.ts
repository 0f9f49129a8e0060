import { expect, test } from "bun:test"
import { sql } from "drizzle-orm"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { seedContacts } from "../harness/contacts.ts"
import { seedEvents } from "../harness/events.ts"

const unlimited = { settings: { "limits.requests_per_minute": "0" } }

async function left(it: TestApp, name = "purchase"): Promise<number> {
  const [row] = await it.app.store.read.all<{ n: number }>(sql`SELECT count(*) AS n FROM event WHERE name = ${name}`)
  return row?.n ?? 0
}

const jobs = (it: TestApp) =>
  it.app.store.read.all<{ state: string }>(sql`SELECT state FROM job WHERE kind = 'event.drop'`)

test("an interrupted deletion is finished by the next server, and later events stay", async () => {
  const count = 3_000
  const it = await startTestApp(unlimited)
  await seedEvents(it, count, (at) => ({ name: at % 5 === 0 ? "login" : "purchase" }))
  const all = await left(it)
  const answer = it.api("DELETE /events/purchase")
  while ((await left(it)) === all) await new Promise(setImmediate)
  await it.api("POST /events/track", { body: { name: "purchase" } })
  await it.stop()
  expect((await answer).status).toBe(503)

  const next = await startTestApp({ ...unlimited, folder: it.folder, clock: it.clock, ids: it.ids })
  const rest = await left(next)
  expect([rest > 1, rest < all]).toEqual([true, true])
  await next.api("POST /events/track", { body: { name: "purchase" } })
  await next.advance({ minutes: 2 })
  expect([await left(next), await left(next, "login"), await jobs(next)]).toEqual([2, 600, [{ state: "done" }]])
  expect((await next.api("GET /events/stats")).body).toEqual([
    { name: "login", count: 600 },
    { name: "purchase", count: 2 },
  ])
  await next.advance({ hours: 1 })
  expect(await left(next)).toBe(2)
  expect(next.complaints).toEqual([])
  await next.close()
})

test("a completed deletion leaves its job nothing to do, and a small one has no job", async () => {
  const it = await startTestApp(unlimited)
  await seedEvents(it, 50, () => ({}))
  expect((await it.api("DELETE /events/purchase")).body).toEqual({ deletedCount: 50 })
  expect(await jobs(it)).toEqual([])
  await seedEvents(it, 500, () => ({}))
  expect((await it.api("DELETE /events/purchase")).body).toEqual({ deletedCount: 500 })
  await it.api("POST /events/track", { body: { name: "purchase" } })
  await it.advance({ minutes: 2 })
  expect([await left(it), await jobs(it)]).toEqual([1, [{ state: "done" }]])
  await it.close()
})

test("the job leaves a deletion to the request that is still running", async () => {
  const it = await startTestApp(unlimited)
  await seedEvents(it, 3_000, () => ({}))
  const answer = it.api("DELETE /events/purchase")
  while ((await left(it)) === 3_000) await new Promise(setImmediate)
  await it.advance({ minutes: 2 })
  expect((await answer).body).toEqual({ deletedCount: 3_000 })
  await it.advance({ minutes: 2 })
  expect(await jobs(it)).toEqual([{ state: "done" }])
  await it.close()
})

test("two deletions of one name at the same time count each event once", async () => {
  const it = await startTestApp(unlimited)
  await seedEvents(it, 2_000, () => ({}))
  const answers = await Promise.all([1, 2].map(() => it.api("DELETE /events/purchase")))
  expect(answers.reduce((sum, { body }) => sum + body.deletedCount, 0)).toBe(2_000)
  expect(await left(it)).toBe(0)
  await it.close()
})

test("events deleted with their contact meanwhile are not counted", async () => {
  const it = await startTestApp(unlimited)
  const [ada] = await seedContacts(it, 1, () => ({}))
  await seedEvents(it, 1_000, () => ({}))
  await seedEvents(it, 300, () => ({ contactId: ada?.id ?? null }))
  const answer = it.api("DELETE /events/purchase")
  while ((await left(it)) === 1_300) await new Promise(setImmediate)
  expect((await it.api(`DELETE /contacts/${ada?.id}`)).status).toBe(204)
  expect((await answer).body).toEqual({ deletedCount: 1_000 })
  await it.close()
})

test("other requests are served, and record events of the name, during its deletion", async () => {
  const it = await startTestApp(unlimited)
  await seedEvents(it, 4_000, () => ({}))
  let over = false
  const deletion = it.api("DELETE /events/purchase").finally(() => {
    over = true
  })
  let served = 0
  while (!over) {
    const { status } = await it.api("POST /v1/track", {
      body: { email: `busy${served}@example.com`, event: "purchase" },
    })
    expect(status).toBe(200)
    served++
  }
  const { deletedCount } = (await deletion).body
  expect(await left(it)).toBe(4_000 + served - deletedCount)
  // At most those that were recorded before the deletion began.
  expect(deletedCount - 4_000).toBeLessThanOrEqual(1)
  expect(served).toBeGreaterThan(4)
  await it.close()
})
