import { describe, expect, spyOn, test } from "bun:test"
import { eq } from "drizzle-orm"
import { eventTable } from "../../src/modules/events/index.ts"
import { segmentMemberTable } from "../../src/modules/segments/index.ts"
import { SlowRead } from "../../src/store/slow-read.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { seedContacts } from "../harness/contacts.ts"
import { runJobsUntil } from "../harness/running-jobs.ts"
import { countEffects } from "../harness/scenarios.ts"
import {
  addSegment,
  all,
  contactsOf,
  field,
  inSegment,
  movesOf,
  onPlan,
  recordedIn,
  track,
  tracked,
} from "../harness/segments.ts"
import { fillDisk, freeDisk, scratch } from "../harness/store.ts"

const folder = scratch()
const many = 6_000

/** An app with many contacts without signals, half of them on the plan. */
async function crowded(home = folder()): Promise<TestApp> {
  const it = await startTestApp({ folder: home })
  await seedContacts(it, many, (n) => ({ data: { plan: n % 2 === 0 ? "pro" : "free" } }))
  return it
}

/** Starts the recompute of every five minutes. */
async function underWay(it: TestApp, id: string) {
  await it.app.settle()
  await it.clock.advance(300_000)
  return runJobsUntil(it, async () => (await recordedIn(it, id)) > 0)
}

/** The number of events of a name, and of their contacts. */
async function told(it: TestApp, name: string): Promise<[events: number, contacts: number]> {
  const rows = await it.app.store.read.select().from(eventTable).where(eq(eventTable.name, name))
  return [rows.length, new Set(rows.map(({ contactId }) => contactId)).size]
}

const half = many / 2

describe("every five minutes", () => {
  test.each([
    ["takes long", null],
    ["is given up for taking too long", new SlowRead(10_000)],
  ])("a project of which a segment %s keeps the others waiting for a while only", async (_, fault) => {
    const it = await startTestApp({ folder: folder() })
    for (const plan of ["a", "b", "c"]) await addSegment(it, { name: plan, condition: onPlan(plan) })
    await seedContacts(it, 2, () => ({ data: { plan: "c" } }))
    const other = await it.app.projects.create("Other")
    const body = { name: "Pro", condition: onPlan("pro") }
    expect((await it.api("POST /segments", { key: other.secret, body })).status).toBe(201)
    await it.api("POST /contacts", { key: other.secret, body: { email: "ada@example.com" } })
    await it.settle()
    await it.clock.advance(300_000)
    const { readPool } = it.app.store
    const read = readPool.read.bind(readPool)
    const [slow, quick] = [it.project.id, other.id]
    const turns: string[] = []
    const spy = spyOn(readPool, "read").mockImplementation((async (...asked: Parameters<typeof read>) => {
      const [scope] = asked
      const isFirst = turns.length === 0 && scope === slow
      if ((scope === slow || scope === quick) && scope !== turns.at(-1)) turns.push(scope)
      const found = await read(...asked)
      if (isFirst) await it.clock.advance(11_000)
      if (isFirst && fault) throw fault
      return found
    }) as typeof read)
    await it.app.jobs.drain()
    spy.mockRestore()
    expect(turns).toEqual([slow, quick, slow])
    const { body: segments } = await it.api("GET /segments")
    expect(segments.find(({ name }: { name: string }) => name === "c").memberCount).toBe(2)
    await it.close()
  })

  test("contacts join and leave as time passes, day after day", async () => {
    const it = await startTestApp({ folder: folder() })
    const fresh = await tracked(it, "Fresh", all(field("createdAt", "within", 2, "days")))
    const sleepy = await tracked(it, "Sleepy", all(field("event.login", "notTriggeredWithin", 1, "days")))
    await track(it, "ada@example.com", {}, "login")
    await it.settle()
    await it.advance({ days: 1, minutes: 6 })
    await track(it, "bob@example.com", {}, "login")
    await it.advance({ hours: 1 })
    expect(await movesOf(it, sleepy.id)).toEqual(["entry ada"])
    await it.advance({ days: 1 })
    await track(it, "ada@example.com", {}, "login")
    await it.advance({ days: 1 })
    expect(await movesOf(it, fresh.id)).toEqual(["entry ada", "entry bob", "exit ada", "exit bob"])
    expect(await movesOf(it, sleepy.id)).toEqual(["entry ada", "entry bob", "exit ada"])
    await it.close()
  })

  test("all segments are counted, those that are not tracked too", async () => {
    const it = await crowded()
    const plain = await addSegment(it, { name: "Plain", condition: onPlan("late") })
    const list = await addSegment(it, { name: "List", type: "STATIC" })
    await it.api(`POST /segments/${list.id}/members`, {
      body: { emails: ["seeded0@example.com", "seeded1@example.com"] },
    })
    await track(it, "late@example.com", { plan: "late" })
    const { data } = (await it.api(`GET /segments/${list.id}/contacts`)).body
    await it.api(`DELETE /contacts/${data[0].id}`)
    const counts = async () =>
      (await it.api("GET /segments")).body.map((one: { memberCount: number }) => one.memberCount)
    expect(await counts()).toEqual([2, 0])
    const before = (await it.api(`GET /segments/${plain.id}`)).body
    await it.settle()
    await it.advance({ minutes: 5 })
    expect(await counts()).toEqual([1, 1])
    expect((await it.api(`GET /segments/${plain.id}`)).body).toEqual({ ...before, memberCount: 1 })
    await it.close()
  })

  test("a chain of segments is computed in one pass, in any order of creation", async () => {
    const it = await startTestApp({ folder: folder() })
    const outer = await tracked(it, "Outer", onPlan("none"))
    const middle = await tracked(it, "Middle", onPlan("none"))
    const inner = await tracked(it, "Inner", onPlan("pro"))
    await it.api(`PATCH /segments/${outer.id}`, { body: { condition: all(inSegment(middle.id)) } })
    await it.api(`PATCH /segments/${middle.id}`, { body: { condition: all(inSegment(inner.id)) } })
    await seedContacts(it, 3, () => ({ data: { plan: "pro" } }))
    await it.settle()
    await it.advance({ minutes: 5 })
    for (const { id } of [inner, middle, outer]) expect(await recordedIn(it, id)).toBe(3)
    await it.close()
  })

  test("at the pace of the settings", async () => {
    const it = await startTestApp({ folder: folder(), settings: { "segments.compute_seconds": "60" } })
    const { id } = await tracked(it, "Pros", onPlan("pro"))
    await seedContacts(it, 1, () => ({ data: { plan: "pro" } }))
    await it.settle()
    await it.advance({ seconds: 59 })
    expect(await recordedIn(it, id)).toBe(0)
    await it.advance({ seconds: 1 })
    expect(await recordedIn(it, id)).toBe(1)
    await it.close()
  })
})

describe("a recompute", () => {
  test("that is interrupted is completed when the server is back, with one event for each join", async () => {
    const home = folder()
    const first = await crowded(home)
    const { id } = await tracked(first, "Pros", onPlan("pro"))
    const { over } = await underWay(first, id)
    const { clock, ids } = first
    await first.stop()
    await over

    const it = await startTestApp({ folder: home, clock, ids })
    const joined = await recordedIn(it, id)
    expect(joined).toBeGreaterThan(0)
    expect(joined).toBeLessThan(half)
    expect(await told(it, "segment.pros.entry")).toEqual([joined, joined])
    await it.settle()
    expect(await recordedIn(it, id)).toBe(half)
    expect(await told(it, "segment.pros.entry")).toEqual([half, half])
    expect((await it.api(`GET /segments/${id}`)).body.memberCount).toBe(half)
    expect(it.complaints).toEqual([])
    await it.close()
  })

  test("that meets a full disk is tried again, and records nothing twice", async () => {
    const it = await crowded()
    const { id } = await tracked(it, "Pros", onPlan("pro"))
    const { over } = await underWay(it, id)
    await fillDisk(it.app.store)
    await over
    const joined = await recordedIn(it, id)
    expect(joined).toBeLessThan(half)
    expect(await told(it, "segment.pros.entry")).toEqual([joined, joined])
    await freeDisk(it.app.store)
    await it.advance({ hours: 1 })
    expect(await told(it, "segment.pros.entry")).toEqual([half, half])
    await it.close()
  })

  test("lets other work run", async () => {
    const it = await crowded()
    const { id } = await tracked(it, "Pros", onPlan("pro"))
    const { over } = await underWay(it, id)
    const seen: number[] = []
    for (let n = 0; n < 3; n++) {
      await track(it, `other${n}@example.org`)
      seen.push(await recordedIn(it, id))
    }
    expect(seen.at(-1)).toBeLessThan(half)
    await over
    expect(await recordedIn(it, id)).toBe(half)
    await it.close()
  })

  test("concurrent with another, and with changes of contacts, records every change once", async () => {
    const it = await crowded()
    const { id } = await tracked(it, "Pros", onPlan("pro"))
    const compute = async () => (await it.api(`POST /segments/${id}/compute`)).body
    const change = async () => {
      for (let n = 0; n < 200; n++) {
        await track(it, `seeded${n * 7}@example.com`, { plan: n % 2 === 0 ? "free" : "pro" })
        if (n % 10 === 0) await it.app.bus.drain()
      }
    }
    const { over } = await underWay(it, id)
    await Promise.all([compute(), compute(), change()])
    await over
    await it.settle()
    expect(await compute()).toMatchObject({ added: 0, removed: 0 })
    const [entries] = await told(it, "segment.pros.entry")
    const [exits] = await told(it, "segment.pros.exit")
    const members = await recordedIn(it, id)
    expect(entries - exits).toBe(members)
    expect(members).toBe((await it.api(`GET /segments/${id}/contacts`)).body.total)
    // No member joins again, and no other contact leaves.
    const states = new Map<string, string>()
    for (const { name, contactId } of await it.app.store.read.select().from(eventTable).orderBy(eventTable.id)) {
      if (!name.startsWith("segment.") || contactId === null) continue
      expect(states.get(contactId) ?? "segment.pros.exit").not.toBe(name)
      states.set(contactId, name)
    }
    await it.close()
  })

  test.each([
    ["is deleted", (it: TestApp, id: string) => it.api(`DELETE /segments/${id}`)],
    [
      "is tracked no more",
      (it: TestApp, id: string) => it.api(`PATCH /segments/${id}`, { body: { trackMembership: false } }),
    ],
  ])("of a segment that %s meanwhile ends without effect", async (_, end) => {
    const it = await crowded()
    const { id } = await tracked(it, "Pros", onPlan("pro"))
    const { over } = await underWay(it, id)
    await end(it, id)
    const [joined] = await told(it, "segment.pros.entry")
    expect(joined).toBeLessThan(half)
    await over
    await it.settle()
    expect(await it.app.store.read.$count(segmentMemberTable)).toBe(0)
    expect(await told(it, "segment.pros.entry")).toEqual([joined, joined])
    expect(it.complaints).toEqual([])
    await it.close()
  })

  test("finds every contact of a small project next to a large one, and none of the large one", async () => {
    const it = await crowded()
    const other = await it.app.projects.create("Other")
    await seedContacts(it, 20, (n) => ({ email: `small${n}@example.com`, data: { plan: "pro" } }), other.id)
    const body = { name: "Small pros", condition: onPlan("pro"), trackMembership: true }
    const { id } = (await it.api("POST /segments", { key: other.secret, body })).body
    const computed = await it.api(`POST /segments/${id}/compute`, { key: other.secret })
    expect(computed.body).toEqual({ added: 20, removed: 0, total: 20 })
    const { data } = (await it.api(`GET /segments/${id}/contacts?pageSize=3`, { key: other.secret })).body
    expect(data.map((one: { email: string }) => one.email)).toEqual([
      "small19@example.com",
      "small18@example.com",
      "small17@example.com",
    ])
    await it.close()
  })
})

describe("a reaction", () => {
  test("that did not run before the server stopped runs when it is back, once", async () => {
    const home = folder()
    const first = await startTestApp({ folder: home })
    const { id } = await tracked(first, "Pros", onPlan("pro"))
    await track(first, "in@example.com", { plan: "pro" })
    await first.app.bus.drain()
    await track(first, "in@example.com", { plan: "free" })
    await track(first, "late@example.com", { plan: "pro" })
    expect(await movesOf(first, id)).toEqual(["entry in"])
    const { clock, ids } = first
    await first.stop()

    for (let life = 0; life < 2; life++) {
      const it = await startTestApp({ folder: home, clock, ids })
      await it.settle()
      expect((await movesOf(it, id)).sort()).toEqual(["entry in", "entry late", "exit in"])
      expect(await contactsOf(it, id)).toEqual(["late"])
      await it.stop()
    }
  })

  test("and an earlier recompute record a change once", async () => {
    const it = await startTestApp({ folder: folder() })
    const { id } = await tracked(it, "Pros", onPlan("pro"))
    await track(it, "ada@example.com", { plan: "pro" })
    expect((await it.api(`POST /segments/${id}/compute`)).body).toEqual({ added: 1, removed: 0, total: 1 })
    await it.settle()
    expect((await countEffects(it)).events).toEqual({ seen: 1, "segment.pros.entry": 1 })
    await it.close()
  })
})
