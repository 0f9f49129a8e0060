import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { afterNextRead } from "../harness/after-read.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { countEffects, fieldsOf, gained } from "../harness/scenarios.ts"
import { addSegment, contactsOf, movesOf, onPlan, recordedIn, track } from "../harness/segments.ts"

const unknown = "0199c0de-0000-7000-8000-00000000dead"
let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
  for (const name of ["ada", "bob", "cyd", "dan"]) await track(it, `${name}@example.com`)
})
afterAll(() => it.close())

const list = (rest: object = {}) => addSegment(it, { name: "List", type: "STATIC", ...rest })
const add = (id: string, body: object) => it.api(`POST /segments/${id}/members`, { body })
const remove = (id: string, emails: string[]) => it.api(`DELETE /segments/${id}/members`, { body: { emails } })

describe("POST /segments/{id}/members", () => {
  test("makes members that stay when another segment of theirs is deleted", async () => {
    const [kept, deleted] = [await list(), await list({ name: "Other" })]
    for (const { id } of [kept, deleted]) await add(id, { emails: ["ada@example.com", "bob@example.com"] })
    expect((await it.api(`DELETE /segments/${deleted.id}`)).status).toBe(204)
    await it.settle()
    expect((await it.api(`GET /segments/${kept.id}/contacts`)).body.total).toBe(2)
  })

  test("leaves the number of members right when several requests are counted at a time", async () => {
    const { id } = await list()
    afterNextRead(it, () => add(id, { emails: ["bob@example.com", "cyd@example.com"] }))
    await add(id, { emails: ["ada@example.com"] })
    expect((await it.api(`GET /segments/${id}`)).body.memberCount).toBe(3)
    afterNextRead(it, () => remove(id, ["bob@example.com", "cyd@example.com"]))
    await it.api(`POST /segments/${id}/refresh`)
    expect((await it.api(`GET /segments/${id}`)).body.memberCount).toBe(1)
  })

  test("counts addresses that are members afterwards, each once, and lists those without a contact as sent", async () => {
    const { id } = await list()
    const before = await countEffects(it)
    const emails = [
      " Ada@Example.com",
      "ada@example.com",
      "Nobody@Example.com",
      "bob@example.com",
      "nobody@example.com",
    ]
    const { status, body } = await add(id, { emails })
    expect([status, body]).toEqual([200, { added: 2, created: 0, notFound: ["Nobody@Example.com"] }])
    expect((await add(id, { emails: ["bob@example.com", "cyd@example.com"] })).body).toEqual({
      added: 2,
      created: 0,
      notFound: [],
    })
    expect(await contactsOf(it, id)).toEqual(["cyd", "bob", "ada"])
    expect((await it.api(`GET /segments/${id}`)).body.memberCount).toBe(3)
    expect(gained(before, await countEffects(it))).toEqual({ events: {}, mails: 0, contacts: 0 })
  })

  test("creates missing contacts on request, in the given state", async () => {
    const { id } = await list()
    const before = await countEffects(it)
    const emails = ["ada@example.com", "New@example.org", "new@example.org"]
    expect((await add(id, { emails, createMissing: true })).body).toEqual({ added: 2, created: 1, notFound: [] })
    const quiet = { emails: ["quiet@example.org", "ada@example.com"], createMissing: true, subscribed: false }
    expect((await add(id, quiet)).body).toEqual({ added: 2, created: 1, notFound: [] })
    const { data } = (await it.api(`GET /segments/${id}/contacts`)).body
    const states = data.map((one: { email: string; subscribed: boolean }) => [one.email, one.subscribed])
    expect(states).toEqual([
      ["quiet@example.org", false],
      ["new@example.org", true],
      ["ada@example.com", true],
    ])
    expect(gained(before, await countEffects(it))).toEqual({ events: {}, mails: 0, contacts: 2 })
  })

  test("fires entry and exit once per real join and leave where membership is tracked", async () => {
    const { id, slug } = await list({ name: "Guests", trackMembership: true })
    const before = await countEffects(it)
    await add(id, { emails: ["ada@example.com", "bob@example.com"] })
    await add(id, { emails: ["ada@example.com", "cyd@example.com", "guest@example.org"], createMissing: true })
    expect((await remove(id, ["bob@example.com", "dan@example.com", "who@example.org"])).body).toEqual({ removed: 1 })
    expect((await remove(id, ["bob@example.com"])).body).toEqual({ removed: 0 })
    await add(id, { emails: ["bob@example.com"] })
    const moves = ["entry ada", "entry bob", "entry cyd", "entry guest", "exit bob", "entry bob"]
    expect(await movesOf(it, id)).toEqual(moves)
    expect(gained(before, await countEffects(it)).events).toEqual({
      [`segment.${slug}.entry`]: 5,
      [`segment.${slug}.exit`]: 1,
    })
    expect((await it.api(`GET /events?eventName=segment.${slug}.exit`)).body.data[0].data).toEqual({
      segmentId: id,
      segmentName: "Guests",
    })
  })

  test("accepts 1,000 addresses at once", async () => {
    const { id } = await list({ name: "Crowd", trackMembership: true })
    const emails = Array.from({ length: 1_000 }, (_, n) => `crowd${n}@example.org`)
    expect((await add(id, { emails, createMissing: true })).body).toEqual({
      added: 1_000,
      created: 1_000,
      notFound: [],
    })
    expect((await countEffects(it)).events["segment.crowd.entry"]).toBe(1_000)
    expect((await it.api(`GET /segments/${id}`)).body.memberCount).toBe(1_000)
    expect((await remove(id, emails)).body).toEqual({ removed: 1_000 })
    expect(await recordedIn(it, id)).toBe(0)
  })

  test.each<[body: object, faults: Record<string, string>]>([
    [{}, { emails: "required" }],
    [{ emails: null }, { emails: "required" }],
    [{ emails: [] }, { emails: "too_small" }],
    [{ emails: "ada@example.com" }, { emails: "invalid_type" }],
    [{ emails: Array.from({ length: 1_001 }, (_, n) => `a${n}@example.org`) }, { emails: "too_big" }],
    [{ emails: ["new@example.net", "ada", 5] }, { "emails.1": "invalid_string", "emails.2": "invalid_type" }],
    [
      { emails: ["a@example.net"], createMissing: "yes", subscribed: 1 },
      { createMissing: "invalid_type", subscribed: "invalid_type" },
    ],
  ])("refuses %j and stores nothing", async (body, faults) => {
    const { id } = await list()
    const before = await countEffects(it)
    const answer = await add(id, { createMissing: true, ...body })
    expect([answer.status, fieldsOf(answer)]).toEqual([422, faults])
    expect(gained(before, await countEffects(it)).contacts).toBe(0)
    expect(await recordedIn(it, id)).toBe(0)
  })

  test("says how many addresses it takes", async () => {
    const { id } = await list()
    const messageOf = async (emails: string[]) => (await add(id, { emails })).body.error.message
    expect(await messageOf([])).toBe("emails must have at least 1 item.")
    expect(await messageOf(Array.from({ length: 1_001 }, (_, n) => `a${n}@example.org`))).toBe(
      "emails must have at most 1,000 items.",
    )
  })
})

describe("members of a DYNAMIC segment", () => {
  test("cannot be added or removed by hand", async () => {
    const { id } = await addSegment(it, { name: "Pros", condition: onPlan("pro"), trackMembership: true })
    for (const method of ["POST", "DELETE"]) {
      const answer = await it.api(`${method} /segments/${id}/members`, {
        body: { emails: ["ada@example.com"], createMissing: true },
      })
      expect([method, answer.status, answer.body.error.code]).toEqual([method, 400, "BAD_REQUEST"])
      const faulty = await it.api(`${method} /segments/${id}/members`, { body: { emails: [] } })
      expect([method, faulty.status]).toEqual([method, 422])
      const missing = await it.api(`${method} /segments/${unknown}/members`, { body: { emails: ["ada@example.com"] } })
      expect([method, missing.status]).toEqual([method, 404])
    }
    expect(await recordedIn(it, id)).toBe(0)
  })
})

test("a deleted contact is removed from the lists without events", async () => {
  const { id } = await list({ name: "Leaving", trackMembership: true })
  const contact = await track(it, "leaver@example.com")
  await add(id, { emails: ["leaver@example.com", "ada@example.com"] })
  await it.api(`DELETE /contacts/${contact}`)
  await it.settle()
  expect(await contactsOf(it, id)).toEqual(["ada"])
  expect((await countEffects(it)).events["segment.leaving.exit"]).toBeUndefined()
  expect((await it.api(`POST /segments/${id}/refresh`)).body).toEqual({ memberCount: 1 })
  expect((await it.api(`POST /segments/${id}/compute`)).body).toEqual({ added: 0, removed: 0, total: 1 })
})
