import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { countEffects, fieldsOf, gained } from "../harness/scenarios.ts"
import { addSegment, all, field, inSegment, movesOf, onPlan, recordedIn, track, tracked } from "../harness/segments.ts"

const unknown = "0199c0de-0000-7000-8000-00000000dead"
let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
  for (const name of ["ada", "bob", "cyd"])
    await track(it, `${name}@example.com`, { plan: name === "bob" ? "free" : "pro" })
})
afterAll(() => it.close())

const change = (id: string, body: object) => it.api(`PATCH /segments/${id}`, { body })
const pros = (rest: object = {}) => addSegment(it, { name: "Pros", condition: onPlan("pro"), ...rest })

describe("PATCH /segments/{id}", () => {
  test("changes what is sent and leaves the rest", async () => {
    const before = await pros({ description: "All of them" })
    await it.advance({ minutes: 1 })
    const { status, body } = await change(before.id, { name: "  Free riders ", condition: onPlan("free") })
    const updatedAt = new Date(it.clock.now()).toISOString()
    const wanted = { name: "Free riders", slug: "free-riders", condition: onPlan("free"), memberCount: 1, updatedAt }
    expect([status, body]).toEqual([200, { ...before, ...wanted }])
    expect((await it.api(`GET /segments/${before.id}`)).body).toEqual(body)
  })

  test("clears a description with null", async () => {
    const { id } = await pros({ description: "All of them" })
    expect((await change(id, { description: null })).body.description).toBeNull()
  })

  test("without a change keeps updatedAt, but counts again", async () => {
    const before = await pros()
    await it.advance({ minutes: 1 })
    await track(it, "new-pro@example.com", { plan: "pro" })
    const { body } = await change(before.id, { name: "Pros", condition: onPlan("pro"), type: "STATIC" })
    expect(body).toEqual({ ...before, memberCount: before.memberCount + 1 })
  })

  test("ignores any condition for a STATIC segment", async () => {
    const before = await addSegment(it, { name: "List", type: "STATIC" })
    for (const condition of [onPlan("pro"), { logic: "MAYBE" }, null, "x", []]) {
      const { status, body } = await change(before.id, { condition })
      expect([status, body]).toEqual([200, before])
    }
  })

  test.each<[sent: object, status: number, faults: Record<string, string>]>([
    [{ condition: null }, 422, { condition: "invalid_type" }],
    [{ condition: [], name: " " }, 422, { condition: "invalid_type", name: "too_small" }],
    [{ name: null, trackMembership: null }, 422, { name: "invalid_type", trackMembership: "invalid_type" }],
    [{ description: "d".repeat(501) }, 422, { description: "too_big" }],
    [{ condition: { logic: "AND", groups: [{ filters: [] }] } }, 400, { "condition.groups.0": "too_small" }],
    [{ condition: all(inSegment(unknown)) }, 400, { "condition.groups.0.filters.0.field": "custom" }],
  ])("refuses %j and changes nothing", async (sent, status, faults) => {
    const before = await pros()
    const answer = await change(before.id, sent)
    expect([answer.status, fieldsOf(answer)]).toEqual([status, faults])
    expect((await it.api(`GET /segments/${before.id}`)).body).toEqual(before)
  })

  test("checks the shape of the body, then the segment, then the condition", async () => {
    const faulty = { condition: { logic: "AND", groups: [] } }
    expect((await change(unknown, { condition: 5 })).status).toBe(422)
    expect((await change(unknown, faulty)).status).toBe(404)
    expect((await change((await pros()).id, faulty)).status).toBe(400)
    expect((await change("nonsense", {})).status).toBe(404)
  })

  test("refuses a condition by which the segment reaches itself, directly or through others", async () => {
    const a = await pros()
    const b = await pros({ condition: all(inSegment(a.id)) })
    const c = await pros({ condition: all(field("email", "contains", "x"), inSegment(b.id)), trackMembership: true })
    for (const one of [a, b, c]) {
      const answer = await change(a.id, {
        condition: all(field("email", "contains", "x"), inSegment(one.id.toUpperCase())),
      })
      expect([answer.status, fieldsOf(answer)]).toEqual([400, { "condition.groups.0.filters.1.field": "custom" }])
    }
    expect((await change(c.id, { condition: all(inSegment(a.id)) })).status).toBe(200)
  })

  test("refuses a condition that grows without bounds through the segments it names", async () => {
    const many = (id: string) => all(...Array.from({ length: 200 }, () => inSegment(id)))
    const base = await pros()
    const first = await pros({ condition: many(base.id) })
    const beyond = await it.api("POST /segments", { body: { name: "A", condition: many(first.id) } })
    expect([beyond.status, fieldsOf(beyond)]).toEqual([400, { condition: "too_big" }])
    const grown = Array.from({ length: 10 }, () => field("data.plan", "exists"))
    const below = await change(base.id, { condition: all(...grown) })
    expect([below.status, fieldsOf(below)]).toEqual([400, { condition: "too_big" }])
    expect((await change(base.id, { condition: onPlan("free") })).status).toBe(200)
  })

  test("that ends tracking deletes the membership, without events; tracking again begins empty", async () => {
    const { id } = await tracked(it, "Kept", onPlan("pro"))
    await it.api(`POST /segments/${id}/compute`)
    const members = await recordedIn(it, id)
    expect(members).toBeGreaterThan(1)
    const before = await countEffects(it)
    expect((await change(id, { trackMembership: false })).body.memberCount).toBe(members)
    await it.settle()
    expect(await recordedIn(it, id)).toBe(0)
    expect(gained(before, await countEffects(it)).events).toEqual({})
    expect((await it.api(`GET /segments/${id}/contacts`)).body.total).toBe(members)

    await change(id, { trackMembership: true })
    expect(await recordedIn(it, id)).toBe(0)
    expect((await it.api(`POST /segments/${id}/compute`)).body).toEqual({ added: members, removed: 0, total: members })
    expect(gained(before, await countEffects(it)).events).toEqual({ "segment.kept.entry": members })
  })

  test("that switches tracking off and on again at once begins empty too", async () => {
    const { id } = await tracked(it, "Switched", onPlan("pro"))
    const { added } = (await it.api(`POST /segments/${id}/compute`)).body
    await change(id, { trackMembership: false })
    await change(id, { trackMembership: true })
    await it.settle()
    expect(await recordedIn(it, id)).toBe(0)
    expect((await it.api(`POST /segments/${id}/compute`)).body).toEqual({ added, removed: 0, total: added })
  })

  test("that renames a segment gives its later events the new name", async () => {
    const { id } = await tracked(it, "Before", onPlan("gold"))
    const before = await countEffects(it)
    await track(it, "goldie@example.com", { plan: "gold" })
    await it.settle()
    await change(id, { name: "After" })
    await track(it, "goldie@example.com", { plan: "free" })
    await it.settle()
    expect(gained(before, await countEffects(it)).events).toEqual({
      seen: 2,
      "segment.before.entry": 1,
      "segment.after.exit": 1,
    })
    expect(await movesOf(it, id)).toEqual(["entry goldie", "exit goldie"])
  })
})

describe("DELETE /segments/{id}", () => {
  test("deletes it with its membership and without events", async () => {
    await track(it, "silvia@example.com", { tier: "silver" })
    const { id } = await tracked(it, "Gone", all(field("data.tier", "equals", "silver")))
    expect((await it.api(`POST /segments/${id}/compute`)).body.added).toBe(1)
    const before = await countEffects(it)
    const answer = await it.api(`DELETE /segments/${id}`)
    expect([answer.status, answer.body]).toEqual([204, undefined])
    for (const tier of ["none", "silver"]) {
      await track(it, "silvia@example.com", { tier })
      await it.settle()
    }
    expect(gained(before, await countEffects(it)).events).toEqual({ seen: 2 })
    expect(await recordedIn(it, id)).toBe(0)
    for (const method of ["GET", "DELETE"]) expect((await it.api(`${method} /segments/${id}`)).status).toBe(404)
  })

  test("is refused while an unfinished campaign uses it", async () => {
    const { id } = await addSegment(it, { name: "Nobody", condition: onPlan("none") })
    const campaign = { name: "News", subject: "Hi", body: "<p>x</p>", from: "news@acme.test" }
    const campaigns = [
      { ...campaign, audienceType: "SEGMENT", segmentId: id },
      { ...campaign, audienceType: "FILTERED", audienceCondition: all(inSegment(id)) },
    ]
    for (const body of campaigns) {
      const campaign = (await it.api("POST /campaigns", { body })).body.data
      const remove = () => it.api(`DELETE /segments/${id}`)
      const refused = await remove()
      expect([refused.status, refused.body.error.code]).toEqual([409, "CONFLICT"])
      await it.api(`POST /campaigns/${campaign.id}/send`, { body: { scheduledFor: "2027-01-01T00:00:00Z" } })
      expect((await remove()).status).toBe(409)
      await it.api(`POST /campaigns/${campaign.id}/cancel`)
      expect((await it.api(`GET /campaigns/${campaign.id}`)).body.data.status).toBe("CANCELLED")
    }
    expect((await it.api(`GET /segments/${id}`)).status).toBe(200)
    expect((await it.api(`DELETE /segments/${id}`)).status).toBe(204)
  })

  test("is refused while a campaign that is to go out uses it by way of other segments (contract B3.2.5)", async () => {
    const { id } = await pros()
    const middle = await pros({ condition: all(field(`segment.${id}`, "notMemberOfSegment")) })
    const outer = await pros({ condition: all(inSegment(middle.id)) })
    const content = { name: "News", subject: "Hi", body: "<p>x</p>", from: "news@acme.test" }
    const condition = all(inSegment(outer.id))
    for (const audience of [
      { audienceType: "SEGMENT", segmentId: outer.id },
      { audienceType: "FILTERED", audienceCondition: condition },
    ]) {
      const campaign = (await it.api("POST /campaigns", { body: { ...content, ...audience } })).body.data
      await it.api(`POST /campaigns/${campaign.id}/send`, { body: { scheduledFor: "2027-01-01T00:00:00Z" } })
      for (const used of [id, middle.id, outer.id]) {
        const { status, body } = await it.api(`DELETE /segments/${used}`)
        expect([status, body.error.code]).toEqual([409, "CONFLICT"])
      }
      await it.api(`POST /campaigns/${campaign.id}/cancel`)
    }
    expect((await it.api(`DELETE /segments/${id}`)).status).toBe(204)
  })

  test("leaves conditions that name it, which then match no contact", async () => {
    const { id } = await pros()
    const within = await pros({ condition: all(inSegment(id)) })
    const outside = await pros({ condition: all(field(`segment.${id}`, "notMemberOfSegment")) })
    expect(within.memberCount).toBeGreaterThan(0)
    expect(outside.memberCount).toBeGreaterThan(0)
    await it.api(`DELETE /segments/${id}`)
    for (const one of [within, outside])
      expect((await it.api(`POST /segments/${one.id}/refresh`)).body).toEqual({ memberCount: 0 })
  })
})

describe("a field and an event", () => {
  test("know the segments that use them", async () => {
    const condition = all(
      field("data.profile.tier", "exists"),
      field("event.bought", "triggered"),
      field("email", "contains", "x"),
    )
    const { id } = await addSegment(it, { name: "Buyers", condition })
    const uses = async (route: string) => (await it.api(route)).body.usedInSegments
    const one = [{ id, name: "Buyers" }]
    expect(await uses("GET /contacts/fields/profile.tier/usage")).toEqual(one)
    expect(await uses("GET /contacts/fields/data.profile/usage")).toEqual(one)
    expect(await uses("GET /contacts/fields/prof/usage")).toEqual([])
    expect((await uses("GET /contacts/fields/email/usage")).map((use: { id: string }) => use.id)).toContain(id)
    expect(await uses("GET /events/bought/usage")).toEqual(one)
    const openers = await addSegment(it, { name: "Openers", condition: all(field("email.opened", "triggered")) })
    expect((await uses("GET /contacts/fields/email/usage")).map((use: { id: string }) => use.id)).not.toContain(
      openers.id,
    )
    expect(await uses("GET /events/bough/usage")).toEqual([])
  })
})
