import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { signalTable } from "../../src/bus/table.ts"
import { contactChanged } from "../../src/modules/contacts/index.ts"
import { emailTable } from "../../src/modules/emails/index.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { startBulk } from "../harness/bulk.ts"
import { importFile } from "../harness/imports.ts"
import { addSegment, all, field, inSegment, movesOf, onPlan, recordedIn, track, tracked } from "../harness/segments.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

/** Runs the reactions; resolves to the events of the segment. */
async function settled(id: string): Promise<string[]> {
  await it.app.bus.drain()
  return movesOf(it, id)
}

describe("a contact joins and leaves a tracked segment", () => {
  test("when it is created, changed, flipped, and not again when nothing changes", async () => {
    const { id } = await tracked(
      it,
      "Pros",
      all(field("data.plan", "equals", "p1"), field("subscribed", "equals", true)),
    )
    const created = await it.api("POST /contacts", { body: { email: "a1@example.com", data: { plan: "p1" } } })
    expect(await settled(id)).toEqual(["entry a1"])
    await it.api("POST /contacts", { body: { email: "a1@example.com", data: { city: "Oslo" } } })
    expect(await settled(id)).toEqual(["entry a1"])
    const path = `PATCH /contacts/${created.body.id}`
    await it.api(path, { body: { subscribed: false } })
    expect(await settled(id)).toEqual(["entry a1", "exit a1"])
    await it.api(path, { body: { subscribed: true } })
    await it.app.bus.drain()
    await it.api(path, { body: { data: { plan: null } } })
    expect(await settled(id)).toEqual(["entry a1", "exit a1", "entry a1", "exit a1"])
  })

  test("when its address changes", async () => {
    const { id } = await tracked(it, "Acme", all(field("email", "contains", "@acme.example")))
    const { body } = await it.api("POST /contacts", { body: { email: "a2@example.com" } })
    await it.api(`PATCH /contacts/${body.id}`, { body: { email: "a2@acme.example" } })
    expect(await settled(id)).toEqual(["entry a2"])
  })

  test("when it is imported, and when an import changes it", async () => {
    const { id } = await tracked(it, "Imported", onPlan("p3"))
    await track(it, "i1@example.com", { plan: "none" })
    await importFile(it, "email,plan\ni1@example.com,p3\ni2@example.com,p3\ni3@example.com,none\n")
    expect((await settled(id)).sort()).toEqual(["entry i1", "entry i2"])
    await importFile(it, "email,plan\ni1@example.com,none\n")
    expect((await settled(id)).at(-1)).toBe("exit i1")
  })

  test("when a bulk job changes its subscription", async () => {
    const { id } = await tracked(
      it,
      "Reachable",
      all(field("email", "contains", "bulky"), field("subscribed", "equals", true)),
    )
    for (const n of [1, 2]) await track(it, `bulky${n}@example.com`)
    await it.app.bus.drain()
    await startBulk(it, "unsubscribe", { mode: "query", filter: { search: "bulky1" } })
    await it.settle()
    expect(await settled(id)).toEqual(["entry bulky1", "entry bulky2", "exit bulky1"])
  })

  test("when a field of it is deleted", async () => {
    const { id } = await tracked(it, "Fielded", all(field("data.oddity", "exists")))
    for (const n of [1, 2]) await track(it, `field${n}@example.com`, { oddity: n })
    await it.app.bus.drain()
    await it.api("DELETE /contacts/fields/oddity")
    expect(await settled(id)).toEqual(["entry field1", "entry field2", "exit field1", "exit field2"])
  })

  test("when it gets an event that a condition is about", async () => {
    const { id } = await tracked(it, "Buyers", all(field("event.buy", "triggered")))
    await track(it, "e1@example.com", {}, "look")
    expect(await settled(id)).toEqual([])
    await track(it, "e1@example.com", {}, "buy")
    expect(await settled(id)).toEqual(["entry e1"])
  })

  test("when any event arrives and the result has changed by time", async () => {
    const { id } = await tracked(it, "Recent", all(field("event.ping", "triggeredWithin", 1, "minutes")))
    await track(it, "t1@example.com", {}, "ping")
    expect(await settled(id)).toEqual(["entry t1"])
    await it.clock.advance(120_000)
    expect(await settled(id)).toEqual(["entry t1"])
    await track(it, "t1@example.com", {}, "pong")
    expect(await settled(id)).toEqual(["entry t1", "exit t1"])
  })

  test("when a mail of it gets a new time", async () => {
    const { id } = await tracked(
      it,
      "Reached",
      all(field("email.sent", "triggered"), field("email", "contains", "mailed")),
    )
    const body = { to: "mailed@example.com", subject: "Hi", body: "<p>x</p>", from: "a@acme.test" }
    expect((await it.api("POST /v1/send", { body })).status).toBe(200)
    expect(await settled(id)).toEqual([])
    await it.settle()
    expect(await settled(id)).toEqual(["entry mailed"])
    expect((await it.app.store.read.select().from(emailTable)).every(({ sentAt }) => sentAt !== null)).toBe(true)
  })

  test("once, for any number of changes in between", async () => {
    const { id } = await tracked(it, "Once", onPlan("p9"))
    for (let n = 0; n < 20; n++) await track(it, "o1@example.com", { plan: "p9", n })
    expect(await settled(id)).toEqual(["entry o1"])
  })
})

describe("a segment that names another", () => {
  test("sees joins of that one at the next recompute, not because of its events", async () => {
    const inner = await tracked(it, "Inner", onPlan("p10"))
    const outer = await tracked(it, "Outer", all(inSegment(inner.id)))
    const heard = await tracked(it, "Heard", all(field("event.segment.inner.entry", "triggered")))
    await track(it, "x1@example.com", { plan: "p10" })
    await it.app.bus.drain()
    expect([await movesOf(it, inner.id), await movesOf(it, outer.id), await movesOf(it, heard.id)]).toEqual([
      ["entry x1"],
      [],
      [],
    ])
    await it.advance({ minutes: 5 })
    expect([await movesOf(it, outer.id), await movesOf(it, heard.id)]).toEqual([["entry x1"], ["entry x1"]])
  })

  test("goes by the condition of one without recorded membership at once", async () => {
    const plain = await addSegment(it, { name: "Plain", condition: all(field("event.tap", "triggered")) })
    const outer = await tracked(it, "Outside", all(inSegment(plain.id), field("email", "contains", "tapper")))
    await track(it, "tapper@example.com", {}, "tap")
    expect(await settled(outer.id)).toEqual(["entry tapper"])
  })
})

describe("deleting a contact", () => {
  test("causes no events, also when its change was not processed yet", async () => {
    const { id } = await tracked(it, "Mortal", onPlan("p12"))
    const [stays, goes] = [
      await track(it, "m1@example.com", { plan: "p12" }),
      await track(it, "m2@example.com", { plan: "p12" }),
    ]
    await it.api(`DELETE /contacts/${goes}`)
    expect(await settled(id)).toEqual(["entry m1"])
    await it.api(`DELETE /contacts/${stays}`)
    expect(await settled(id)).toEqual([])
    expect(await recordedIn(it, id)).toBe(0)
  })
})

describe("signals that concern no segment", () => {
  test("is not stored: where nothing is tracked, and events that no condition can be moved by", async () => {
    const other = await startTestApp()
    const signals = () => other.app.store.read.$count(signalTable)
    const changes = () => other.app.store.read.$count(signalTable, eq(signalTable.name, contactChanged.name))
    await addSegment(other, { name: "Untracked", condition: onPlan("pro") })
    await addSegment(other, { name: "List", type: "STATIC", trackMembership: true })
    await track(other, "a@example.com", { plan: "pro" })
    expect(await signals()).toBe(0)

    const { id } = await tracked(
      other,
      "Tracked",
      all(field("data.plan", "equals", "pro"), field("event.buy", "triggered")),
    )
    // Until all contacts have been evaluated by its condition, every event concerns it.
    const evaluateAll = () => other.api(`POST /segments/${id}/compute`)
    await evaluateAll()
    await track(other, "a@example.com", {}, "look")
    expect(await signals()).toBe(0)
    await track(other, "a@example.com", {}, "buy")
    expect([await signals(), await changes()]).toEqual([1, 0])
    await track(other, "b@example.com", {}, "look")
    expect([await signals(), await changes()]).toEqual([2, 1])

    await other.api(`PATCH /segments/${id}`, { body: { condition: all(field("event.look", "notTriggered")) } })
    await evaluateAll()
    await track(other, "a@example.com", {}, "look")
    expect(await signals()).toBe(3)
    await track(other, "a@example.com", {}, "buy")
    expect(await signals()).toBe(3)
    await other.api(`DELETE /segments/${id}`)
    await track(other, "c@example.com", {}, "look")
    expect(await signals()).toBe(3)
    await other.close()
  })

  test("are known after a restart", async () => {
    const first = await startTestApp()
    const { id } = await tracked(first, "Tracked", onPlan("pro"))
    await first.stop()
    const again = await startTestApp({ folder: first.folder, clock: first.clock, ids: first.ids })
    await track(again, "a@example.com", { plan: "pro" })
    await again.settle()
    expect(await movesOf(again, id)).toEqual(["entry a"])
    await again.close()
  })

  test("do not miss a contact that changes in the same commit in which a segment begins to track", async () => {
    const other = await startTestApp()
    const { id } = await addSegment(other, { name: "Racing", condition: onPlan("pro") })
    const change = { email: "racer@example.com", subscribedWhenNew: true, data: { plan: "pro" } }
    await Promise.all([
      other.app.segments.change(other.project.id, id, { trackMembership: true }),
      other.app.contacts.upsert(other.project.id, change),
    ])
    await other.app.bus.drain()
    expect(await movesOf(other, id)).toEqual(["entry racer"])
    await other.close()
  })
})
