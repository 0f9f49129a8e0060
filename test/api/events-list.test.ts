import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { and, eq, notInArray } from "drizzle-orm"
import { minute } from "../../src/kernel/clock.ts"
import { eventTable } from "../../src/modules/events/index.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { seedContacts } from "../harness/contacts.ts"
import { type SeededEvent, seedEvents } from "../harness/events.ts"

const howMany = 120
const unknownId = "0199c0de-0000-7000-8000-00000000dead"
let it: TestApp
/** In order: every fourth without a contact, a few in the same millisecond, three names. */
let events: SeededEvent[]
let people: { id: string; email: string }[]

beforeAll(async () => {
  it = await startTestApp({ settings: { "limits.requests_per_minute": "0" } })
  people = await seedContacts(it, 4, () => ({}))
  const start = it.clock.now()
  events = await seedEvents(it, howMany, (at) => ({
    name: ["purchase", "login", "email.sent"][at % 3] ?? "",
    contactId: at % 4 === 0 ? null : (people[at % 3]?.id ?? null),
    createdAt: start + Math.floor(at / 5) * minute,
  }))
  const other = await it.app.projects.create("Other")
  await seedEvents(it, 7, () => ({}), other.id)
})
afterAll(() => it.close())

const list = async (path: string) => (await it.api(`GET ${path}`)).body
const newestOf = (fits: (one: SeededEvent) => boolean): string[] =>
  events
    .filter(fits)
    .map(({ id }) => id)
    .reverse()

/** The minutes are those since the first event. */
const startedAt = () => events[0]?.createdAt ?? 0
const atMinute = (at: number) => new Date(startedAt() + at * minute).toISOString()
const within =
  (from: number, to: number) =>
  ({ createdAt }: SeededEvent) =>
    createdAt >= startedAt() + from * minute && createdAt <= startedAt() + to * minute

/** All pages of a list, one after the other. */
async function walk(path: string, limit: number): Promise<{ ids: string[]; totals: number[] }> {
  const ids: string[] = []
  const totals: number[] = []
  for (let cursor = ""; ; ) {
    const page = await list(`${path}${path.includes("?") ? "&" : "?"}limit=${limit}${cursor}`)
    ids.push(...page.data.map(({ id }: { id: string }) => id))
    totals.push(page.total)
    expect("cursor" in page).toBe(page.hasMore)
    if (!page.hasMore) return { ids, totals }
    expect(page.data).toHaveLength(limit)
    cursor = `&cursor=${page.cursor}`
  }
}

describe("events are listed newest first (contract B4.2.3, B4.2.4)", () => {
  const lists: [path: () => string, fits: (one: SeededEvent) => boolean][] = [
    [() => "/events", () => true],
    [() => "/events?eventName=", () => true],
    [() => "/events?eventName=login", ({ name }) => name === "login"],
    [() => "/events?eventName=email.sent", ({ name }) => name === "email.sent"],
    [() => "/events?eventName=Login", () => false],
    [() => "/events?eventName=log", () => false],
    [() => `/events?contactId=${people[1]?.id}`, ({ contactId }) => contactId === people[1]?.id],
    [
      () => `/events?contactId=${people[2]?.id}&eventName=login`,
      ({ contactId, name }) => contactId === people[2]?.id && name === "login",
    ],
    [() => `/events?contactId=${unknownId}`, () => false],
    [() => `/events?startDate=${atMinute(3)}&endDate=${atMinute(9)}`, within(3, 9)],
    [
      () => `/events?startDate=${atMinute(3)}&eventName=purchase`,
      (one) => within(3, Number.POSITIVE_INFINITY)(one) && one.name === "purchase",
    ],
    [() => `/events?endDate=${atMinute(2)}`, within(0, 2)],
    [() => `/events/contact/${people[1]?.id}`, ({ contactId }) => contactId === people[1]?.id],
    [() => `/events/contact/${people[2]?.id.toUpperCase()}`, ({ contactId }) => contactId === people[2]?.id],
    [() => `/events/contact/${people[3]?.id}`, () => false],
  ]

  test.each(lists)("%s", async (path, fits) => {
    const wanted = newestOf(fits)
    for (const limit of [1, 7, 100]) {
      const { ids, totals } = await walk(path(), limit)
      expect(ids).toEqual(wanted)
      expect(totals).toEqual([wanted.length, ...totals.slice(1).map(() => 0)])
    }
  })

  test.each([
    ["", 20],
    ["?limit=1", 1],
    ["?limit=101", 100],
    ["?limit=0", 20],
    ["?limit=abc", 20],
  ])("%j has %d items", async (query, count) => {
    expect((await list(`/events${query}`)).data).toHaveLength(count)
  })
})

test("an item is the event with its contact (contract B4.1)", async () => {
  const { data } = await list("/events?limit=100")
  for (const item of data) {
    const event = events.find(({ id }) => id === item.id)
    const contact = people.find(({ id }) => id === event?.contactId)
    expect(item).toEqual({
      id: event?.id,
      name: event?.name,
      data: {},
      projectId: it.project.id,
      contactId: contact?.id ?? null,
      emailId: null,
      createdAt: new Date(event?.createdAt ?? 0).toISOString(),
      contact: contact ? { id: contact.id, email: contact.email } : null,
    })
  }
  const ofContact = (await list(`/events/contact/${people[1]?.id}?limit=1`)).data[0]
  expect(data).toContainEqual(ofContact)
})

describe("GET /events/contact/{contactId}", () => {
  test.each([unknownId, "x", "%25"])("is 404 for %s", async (id) => {
    const answer = await it.api(`GET /events/contact/${id}`)
    expect([answer.status, answer.body.error.code]).toEqual([404, "CONTACT_NOT_FOUND"])
  })

  test("is 404 for a contact of another project", async () => {
    const { secret } = await it.app.projects.create("Third")
    expect((await it.api(`GET /events/contact/${people[1]?.id}`, { key: secret })).status).toBe(404)
  })

  test("pages through a contact with very many events of very many names", async () => {
    const [busy] = await seedContacts(it, 1, () => ({ email: "busy@example.com" }))
    const start = it.clock.now()
    const theirs = await seedEvents(it, 2_100, (at) => ({
      name: `name${at % 130}`,
      contactId: busy?.id ?? null,
      // Not all in order of time, as after a clock was set back.
      createdAt: start + ((at * 17) % 1_050),
    }))
    const sorted = theirs.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)).map(({ id }) => id)
    const { ids, totals } = await walk(`/events/contact/${busy?.id}`, 100)
    expect(ids).toEqual(sorted)
    expect(totals[0]).toBe(2_100)
    const few = theirs.slice(0, 150).map(({ id }) => id)
    await it.app.store.write(it.project.id, async (unit) => {
      await unit.db
        .delete(eventTable)
        .where(and(eq(eventTable.contactId, busy?.id ?? ""), notInArray(eventTable.id, few)))
    })
    expect((await walk(`/events/contact/${busy?.id}`, 20)).ids).toEqual(few)
  })
})

describe("the cursor (contract A1.4.2)", () => {
  const opaque = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString("base64url")
  test.each([
    "x",
    "null",
    opaque([]),
    opaque(["events", "now", "x"]),
    opaque(["emails", 1, "x"]),
    opaque(["events", 1]),
  ])("%s is refused", async (cursor) => {
    const answer = await it.api(`GET /events?cursor=${cursor}`)
    expect([answer.status, answer.body.error.code]).toEqual([400, "BAD_REQUEST"])
  })

  test("of another list is refused", async () => {
    const { cursor } = await list("/events?limit=1")
    expect((await it.api(`GET /events/contact/${people[1]?.id}?cursor=${cursor}`)).status).toBe(400)
    const other = (await list(`/events/contact/${people[1]?.id}?limit=1`)).cursor
    expect((await it.api(`GET /events?cursor=${other}`)).status).toBe(400)
  })

  test("continues after the last item, despite events recorded and deleted meanwhile (contract A1.4.4)", async () => {
    const first = await list("/events?eventName=login&limit=5")
    await it.api("POST /events/track", { body: { name: "login" } })
    const second = await list(`/events?eventName=login&limit=5&cursor=${first.cursor}`)
    const seen = [...first.data, ...second.data].map(({ id }: { id: string }) => id)
    expect(seen).toEqual(newestOf(({ name }) => name === "login").slice(0, 10))
  })
})

test("a project without events has empty lists", async () => {
  const { secret } = await it.app.projects.create("Empty")
  const call = async (path: string) => (await it.api(`GET ${path}`, { key: secret })).body
  for (const path of ["/events", "/events?eventName=login"])
    expect(await call(path)).toEqual({ data: [], hasMore: false, total: 0 })
  expect(await call("/events/names")).toEqual({ eventNames: [] })
  expect(await call("/events/stats")).toEqual([])
  expect(await call("/events/stats?startDate=2020-01-01")).toEqual([])
})
