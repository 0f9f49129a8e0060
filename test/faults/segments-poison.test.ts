import { afterEach, beforeEach, expect, test } from "bun:test"
import { sql } from "drizzle-orm"
import { parkedSignalTable } from "../../src/bus/table.ts"
import { idValue } from "../../src/store/dialect.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { seedContacts } from "../harness/contacts.ts"
import { addSegment, all, field, movesOf, onPlan, recordedIn, track, tracked } from "../harness/segments.ts"

const count = 1_000
let it: TestApp
beforeEach(async () => {
  it = await startTestApp()
})
afterEach(() => it.close())

/** Valid data that programs often fail on. */
const awkward: Record<string, unknown>[] = [
  { plan: "pro", __proto__x: 1, constructor: "pro" },
  { plan: "pro\u0000", 'a"b': "'); DROP TABLE contact; --" },
  { plan: "\ud800 alone", $: { plan: "pro" } },
  { plan: { plan: "pro" }, "plan.x": "pro" },
  { plan: ["pro"] },
  { plan: 1e308, n: -0, seen: "2026-02-30T00:00:00Z" },
  { plan: "x".repeat(200_000) },
]

test("a contact with awkward data does not affect others, and both evaluations agree on it", async () => {
  await seedContacts(it, count, (n) => ({ email: `plain${n}@example.com`, data: { plan: "pro" } }))
  const segments = [
    await tracked(it, "Equal", onPlan("pro")),
    await tracked(it, "Holding", all(field("data.plan", "contains", "pro"))),
    await tracked(it, "Within", all(field("data.seen", "notExists"), field("data.plan", "notEquals", "free"))),
    await tracked(it, "Deep", all(field("data.plan.plan", "equals", "pro"))),
  ]
  for (const [n, data] of awkward.entries()) await track(it, `awkward${n}@example.com`, data)
  await seedContacts(it, count, (n) => ({ email: `more${n}@example.com`, data: { plan: "pro" } }))
  await it.app.bus.drain()
  const one = await Promise.all(segments.map(({ id }) => recordedIn(it, id)))
  for (const [at, { id }] of segments.entries()) {
    const before = (await movesOf(it, id)).length
    expect(before).toBe(one[at] ?? -1)
    const { body } = await it.api(`POST /segments/${id}/compute`)
    // The records of the reactions for awkward contacts are correct: the recompute only adds contacts without a signal.
    expect([body.removed, body.added % count]).toEqual([0, 0])
    expect(body.total).toBe(before + body.added)
    expect((await it.api(`GET /segments/${id}/contacts`)).body.total).toBe(body.total)
  }
  expect(it.complaints).toEqual([])
})

test("a contact whose stored data cannot be read is skipped, and delays neither other contacts nor segments", async () => {
  const broken = await track(it, "broken@example.com", { plan: "none" })
  const joiners = await tracked(it, "Joiners", onPlan("joins"))
  const others = await tracked(it, "Others", all(field("email", "contains", "later")))
  await it.settle()
  // Until all contacts have been evaluated every event of one would be a signal too, and so fail as well.
  await it.advance({ minutes: 5 })
  await track(it, "broken@example.com", { plan: "joins" })
  await track(it, "next@example.com", { plan: "joins" })
  await it.app.store.write(it.project.id, async (unit) => {
    await unit.db.run(sql`UPDATE contact SET data = '{"plan":' WHERE id = ${idValue(broken)}`)
  })
  for (let attempt = 0; attempt < 6; attempt++) {
    await it.app.bus.drain()
    await it.clock.advance(60_000)
  }
  expect(await it.app.store.read.$count(parkedSignalTable)).toBeGreaterThan(0)
  expect(await movesOf(it, joiners.id)).toEqual(["entry next"])
  await seedContacts(it, 1, () => ({ email: "later@example.com" }))
  await it.advance({ minutes: 5 })
  expect(await movesOf(it, others.id)).toEqual(["entry later"])
  await it.app.store.write(it.project.id, async (unit) => {
    await unit.db.run(sql`UPDATE contact SET data = '{}' WHERE id = ${idValue(broken)}`)
  })
  await it.advance({ minutes: 5 })
  expect((await addSegment(it, { name: "After", condition: onPlan("joins") })).memberCount).toBe(1)
})
