import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { seedContacts } from "../harness/contacts.ts"
import { countEffects, gained } from "../harness/scenarios.ts"
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

const unknown = "0199c0de-0000-7000-8000-00000000dead"
const count = 250
let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
  const other = await it.app.projects.create("Other")
  // Contacts of two projects, one after the other and mixed, every third on the plan.
  await seedContacts(it, 40, () => ({ data: { plan: "pro" } }), other.id)
  await seedContacts(it, count, (n) => ({
    email: `c${n}@example.com`,
    data: { plan: n % 3 === 0 ? "pro" : "free", n },
  }))
  await seedContacts(it, 40, (n) => ({ email: `late${n}@example.com`, data: { plan: "pro" } }), other.id)
})
afterAll(() => it.close())

const names = Array.from({ length: count }, (_, n) => n)
  .filter((n) => n % 3 === 0)
  .map((n) => `c${n}`)
  .reverse()

describe("GET /segments/{id}/contacts", () => {
  test("lists the current matches, newest first, as whole records, in pages", async () => {
    const { id } = await addSegment(it, { name: "Pros", condition: onPlan("pro") })
    const { status, body } = await it.api(`GET /segments/${id}/contacts`)
    expect([status, { ...body, data: [] }]).toEqual([
      200,
      { data: [], total: 84, page: 1, pageSize: 20, totalPages: 5 },
    ])
    const first = await it.api(`GET /contacts/${body.data[0].id}`)
    expect(body.data[0]).toEqual(first.body)
    const pages = [1, 2, 3, 4, 5].map((page) => contactsOf(it, id, `?page=${page}`))
    expect((await Promise.all(pages)).flat()).toEqual(names)
    expect(await contactsOf(it, id, "?page=6")).toEqual([])
    expect(await contactsOf(it, id, "?pageSize=1000&page=1")).toEqual(names)
    expect((await it.api(`GET /segments/${id}/contacts?pageSize=1000&page=x`)).body).toMatchObject({
      pageSize: 100,
      page: 1,
    })
  })

  test("lists a tracked segment by its condition, not by recorded membership", async () => {
    const { id } = await tracked(it, "Tracked", onPlan("pro"))
    expect(await recordedIn(it, id)).toBe(0)
    expect((await it.api(`GET /segments/${id}/contacts`)).body.total).toBe(84)
  })

  test("lists no contacts where none match", async () => {
    const { id } = await addSegment(it, { name: "Nobody", condition: onPlan("none") })
    const nothing = { data: [], total: 0, page: 1, pageSize: 20, totalPages: 0 }
    expect((await it.api(`GET /segments/${id}/contacts`)).body).toEqual(nothing)
    const list = await addSegment(it, { name: "Empty", type: "STATIC" })
    expect((await it.api(`GET /segments/${list.id}/contacts`)).body).toEqual(nothing)
  })

  test("lists the members of large and small STATIC segments alike", async () => {
    for (const members of [5, 200]) {
      const { id } = await addSegment(it, { name: "List", type: "STATIC" })
      const emails = Array.from({ length: members }, (_, n) => `c${n}@example.com`)
      await it.api(`POST /segments/${id}/members`, { body: { emails } })
      const wanted = emails.map((email) => email.replace("@example.com", "")).reverse()
      expect((await it.api(`GET /segments/${id}/contacts`)).body.total).toBe(members)
      expect(await contactsOf(it, id, "?pageSize=4")).toEqual(wanted.slice(0, 4))
      expect(await contactsOf(it, id, "?pageSize=4&page=2")).toEqual(wanted.slice(4, 8))
    }
  })

  test("evaluates other segments by recorded members or by their condition", async () => {
    const list = await addSegment(it, { name: "List", type: "STATIC" })
    await it.api(`POST /segments/${list.id}/members`, {
      body: { emails: ["c0@example.com", "c1@example.com", "c3@example.com"] },
    })
    const plain = await addSegment(it, { name: "Plain", condition: onPlan("pro") })
    const both = await addSegment(it, { name: "Both", condition: all(inSegment(list.id), inSegment(plain.id)) })
    expect(await contactsOf(it, both.id)).toEqual(["c3", "c0"])
    const kept = await tracked(it, "Kept", onPlan("pro"))
    const none = await addSegment(it, { name: "None", condition: all(inSegment(list.id), inSegment(kept.id)) })
    expect(await contactsOf(it, none.id)).toEqual([])
    await it.api(`POST /segments/${kept.id}/compute`)
    expect(await contactsOf(it, none.id)).toEqual(["c3", "c0"])
    const through = await addSegment(it, {
      name: "Through",
      condition: all(field(`segment.${both.id}`, "notMemberOfSegment"), inSegment(list.id)),
    })
    expect(await contactsOf(it, through.id)).toEqual(["c1"])
  })

  test("is 404 for an unknown id", async () => {
    for (const id of [unknown, "nonsense"])
      for (const route of [
        `GET /segments/${id}/contacts`,
        `POST /segments/${id}/compute`,
        `POST /segments/${id}/refresh`,
      ])
        expect([route, (await it.api(route)).status]).toEqual([route, 404])
  })
})

describe("POST /segments/{id}/compute", () => {
  test("records joins and leaves, with an event for each, and counts", async () => {
    const { id } = await tracked(it, "Sum", onPlan("sum"))
    for (const name of ["s1", "s2", "s3"]) await track(it, `${name}@example.com`)
    // Reported, but not yet reacted to.
    const patch = (at: number, plan: string) =>
      it.app.contacts.upsert(it.project.id, { email: `s${at}@example.com`, subscribedWhenNew: true, data: { plan } })
    await it.settle()
    const before = await countEffects(it)
    for (const at of [1, 2]) await patch(at, "sum")
    const first = await it.api(`POST /segments/${id}/compute`)
    expect([first.status, first.body]).toEqual([200, { added: 2, removed: 0, total: 2 }])
    await patch(3, "sum")
    await patch(1, "none")
    expect((await it.api(`POST /segments/${id}/compute`)).body).toEqual({ added: 1, removed: 1, total: 2 })
    expect((await it.api(`POST /segments/${id}/compute`)).body).toEqual({ added: 0, removed: 0, total: 2 })
    await it.settle()
    expect(await movesOf(it, id)).toEqual(["entry s1", "entry s2", "entry s3", "exit s1"])
    expect(gained(before, await countEffects(it)).events).toEqual({ "segment.sum.entry": 3, "segment.sum.exit": 1 })
    expect((await it.api(`GET /segments/${id}`)).body.memberCount).toBe(2)
  })

  test("is 400 for a DYNAMIC segment that is not tracked", async () => {
    const { id } = await addSegment(it, { name: "Pros", condition: onPlan("pro") })
    const { status, body } = await it.api(`POST /segments/${id}/compute`)
    expect([status, body.error.code]).toEqual([400, "BAD_REQUEST"])
  })
})

test("POST /segments/{id}/refresh counts, without recording or events", async () => {
  const { id } = await tracked(it, "Fresh", onPlan("fresh"))
  await track(it, "f1@example.com", { plan: "fresh" })
  const before = await countEffects(it)
  const { status, body } = await it.api(`POST /segments/${id}/refresh`)
  expect([status, body]).toEqual([200, { memberCount: 1 }])
  expect(await recordedIn(it, id)).toBe(0)
  expect(gained(before, await countEffects(it)).events).toEqual({})
  expect((await it.api(`GET /segments/${id}`)).body.memberCount).toBe(1)
})

describe("GET /segments of a contact (contract B3.2.1)", () => {
  test("lists the segments that it is in now, by condition or as a member", async () => {
    const app = await startTestApp()
    try {
      const create = async (body: object) => (await app.api("POST /segments", { body })).body.id
      const ada = (await app.api("POST /contacts", { body: { email: "ada@acme.test", data: { plan: "pro" } } })).body.id
      const bo = (await app.api("POST /contacts", { body: { email: "bo@acme.test", data: { plan: "free" } } })).body.id
      const pros = await create({ name: "Pros", condition: all(field("data.plan", "equals", "pro")) })
      const list = await create({ name: "List", type: "STATIC" })
      await app.api(`POST /segments/${list}/members`, { body: { emails: ["ada@acme.test", "bo@acme.test"] } })
      const of = async (id: string) =>
        (await app.api(`GET /segments?contactId=${id}`)).body.map((segment: { id: string }) => segment.id).sort()
      expect(await of(ada)).toEqual([pros, list].sort())
      expect(await of(bo.toUpperCase())).toEqual([list])
      expect(await of(unknown)).toEqual([])
      expect(await of("")).toHaveLength(2)
      await app.api(`PATCH /contacts/${ada}`, { body: { data: { plan: "free" } } })
      expect(await of(ada)).toEqual([list])
    } finally {
      await app.close()
    }
  })
})
