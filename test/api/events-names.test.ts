import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { hour } from "../../src/kernel/clock.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { seedContacts } from "../harness/contacts.ts"
import { seedEvents } from "../harness/events.ts"

const noUse = { usedInSegments: [], usedInWorkflows: [] }
const none = { ...noUse, totalCount: 0, uniqueContacts: 0, canDelete: true }
const strange = [
  "a/b",
  "100%",
  "a b",
  "ü💌",
  "a+b",
  "?x=1#y",
  "stats",
  "names",
  "track",
  "contact",
  "usage",
  "__proto__",
]
let it: TestApp

beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

const path = (name: string) => `/events/${encodeURIComponent(name)}`

describe("names, counts and use (contract B4.2.5 to B4.2.7)", () => {
  let people: { id: string }[]
  beforeAll(async () => {
    people = await seedContacts(it, 3, () => ({}))
    const at = Date.parse("2026-01-10T00:00:00.000Z")
    // One in each hour: purchase in all, login in every other, the others rarely.
    await seedEvents(it, 48, (n) => ({
      name: "purchase",
      contactId: people[n % 2]?.id ?? null,
      createdAt: at + n * hour,
    }))
    await seedEvents(it, 24, (n) => ({ name: "login", contactId: null, createdAt: at + n * 2 * hour }))
    await seedEvents(it, 2, (n) => ({ name: "b", contactId: people[n]?.id ?? null, createdAt: at + 30 * hour }))
    await seedEvents(it, 2, () => ({ name: "a", contactId: people[2]?.id ?? null, createdAt: at }))
    await seedEvents(it, 3, () => ({ name: "email.sent", contactId: people[2]?.id ?? null, createdAt: at + 47 * hour }))
    const other = await it.app.projects.create("Other")
    await seedEvents(it, 9, () => ({ name: "theirs" }), other.id)
    await seedEvents(it, 90, () => ({ name: "login", createdAt: at }), other.id)
  })

  const stats = async (query: string) =>
    (await it.api(`GET /events/stats${query}`)).body.map(({ name, count }: { name: string; count: number }) => [
      name,
      count,
    ])

  test("all names, the most frequent first, including names of the service", async () => {
    expect((await it.api("GET /events/names")).body).toEqual({
      eventNames: ["purchase", "login", "email.sent", "a", "b"],
    })
  })

  test("counts of all time, by count and then by name", async () => {
    expect((await it.api("GET /events/stats")).body).toEqual([
      { name: "purchase", count: 48 },
      { name: "login", count: 24 },
      { name: "email.sent", count: 3 },
      { name: "a", count: 2 },
      { name: "b", count: 2 },
    ])
  })

  test.each([
    [
      "?startDate=2026-01-10&endDate=2026-01-10",
      [
        ["purchase", 24],
        ["login", 12],
        ["a", 2],
      ],
    ],
    [
      "?startDate=2026-01-11",
      [
        ["purchase", 24],
        ["login", 12],
        ["email.sent", 3],
        ["b", 2],
      ],
    ],
    ["?endDate=2026-01-09", []],
    ["?endDate=2026-01-09T23:59:59.999Z", []],
    [
      "?endDate=2026-01-10T00:00",
      [
        ["a", 2],
        ["login", 1],
        ["purchase", 1],
      ],
    ],
    [
      "?endDate=2026-01-10T00:00:00.000Z",
      [
        ["a", 2],
        ["login", 1],
        ["purchase", 1],
      ],
    ],
    [
      "?startDate=2026-01-11T05:00:00&endDate=2026-01-11T06:00:00Z",
      [
        ["b", 2],
        ["purchase", 2],
        ["login", 1],
      ],
    ],
    ["?startDate=2026-01-11T05:00:00.001Z&endDate=2026-01-11T05:59:59.999Z", []],
    ["?startDate=2026-01-11T07:00:00%2B02:00&endDate=2026-01-11T05:00Z", [["purchase", 1]]],
    [
      "?startDate=&endDate=",
      [
        ["purchase", 48],
        ["login", 24],
        ["email.sent", 3],
        ["a", 2],
        ["b", 2],
      ],
    ],
  ])("counts of a period: %s (contract B0.6)", async (query, wanted) => {
    expect(await stats(query)).toEqual(wanted)
  })

  test.each([
    "?startDate=x",
    "?endDate=2026-02-30",
    "?endDate=2026-13-01",
    "?startDate=2026-1-1",
    "?startDate=1769850000000",
    "?startDate=2026-01-10T25:00",
    "?startDate=2026-01-10 10:00",
    "?startDate=2026-01-10T10",
    "?startDate=2026-01-10T10:00:00+0100",
    "?startDate=2026-01-11&endDate=2026-01-10",
    "?startDate=2026-01-10T00:00:00.001Z&endDate=2026-01-10T00:00:00Z",
  ])("is 400 for the period %s", async (query) => {
    const { status, body } = await it.api(`GET /events/stats${encodeURI(query).replace("+", "%2B")}`)
    expect([status, body.error.code]).toEqual([400, "BAD_REQUEST"])
  })

  test("the use of a name", async () => {
    const usage = async (name: string) => (await it.api(`GET ${path(name)}/usage`)).body
    expect(await usage("purchase")).toEqual({ ...noUse, totalCount: 48, uniqueContacts: 2, canDelete: true })
    expect(await usage("login")).toEqual({ ...noUse, totalCount: 24, uniqueContacts: 0, canDelete: true })
    expect(await usage("email.sent")).toEqual({ ...noUse, totalCount: 3, uniqueContacts: 1, canDelete: false })
    expect(await usage("contact.unsubscribed")).toEqual({ ...none, canDelete: false })
    for (const name of ["theirs", "Login", "log", " login", "segment.entry"]) expect(await usage(name)).toEqual(none)
  })
})

describe("DELETE /events/{eventName} (contract B4.2.8)", () => {
  test("deletes only the events of a name and returns their number", async () => {
    await seedEvents(it, 450, (at) => ({ name: at % 3 === 0 ? "keep" : "gone" }))
    const other = await it.app.projects.create("Other too")
    await seedEvents(it, 5, () => ({ name: "gone" }), other.id)
    const answer = await it.api("DELETE /events/gone")
    expect([answer.status, answer.body]).toEqual([200, { deletedCount: 300 }])
    expect((await it.api("DELETE /events/gone")).body).toEqual({ deletedCount: 0 })
    expect((await it.api("GET /events?eventName=gone")).body.total).toBe(0)
    expect((await it.api("GET /events?eventName=keep")).body.total).toBe(150)
    expect((await it.api("GET /events/names")).body.eventNames).not.toContain("gone")
    expect((await it.api("GET /events?eventName=gone", { key: other.secret })).body.total).toBe(5)
  })

  test.each([0, 1, 99, 100, 101, 200, 450])("counts exactly when there are %d", async (count) => {
    await seedEvents(it, count, () => ({ name: "counted" }))
    expect((await it.api("DELETE /events/counted")).body).toEqual({ deletedCount: count })
    expect((await it.api("GET /events?eventName=counted")).body).toMatchObject({ data: [], total: 0 })
    await it.settle()
  })

  test.each(["email.sent", "email.", "contact.subscribed", "contact.unsubscribed", "segment.vip.entry"])(
    "is refused for %s",
    async (name) => {
      await seedEvents(it, 1, () => ({ name }))
      const { total } = (await it.api(`GET /events?eventName=${name}`)).body
      const answer = await it.api(`DELETE ${path(name)}`)
      expect([answer.status, answer.body.error.code]).toEqual([409, "CONFLICT"])
      expect((await it.api(`GET /events?eventName=${name}`)).body.total).toBe(total)
      expect(total).toBeGreaterThan(0)
    },
  )

  test.each(strange)("handles the name %j literally, like the other endpoints", async (name) => {
    await it.api("POST /events/track", { body: { name } })
    expect((await it.api(`GET /events?eventName=${encodeURIComponent(name)}`)).body.data).toMatchObject([{ name }])
    expect((await it.api(`GET ${path(name)}/usage`)).body).toMatchObject({ totalCount: 1 })
    expect((await it.api(`DELETE ${path(name)}`)).body).toEqual({ deletedCount: 1 })
    expect((await it.api(`GET ${path(name)}/usage`)).body).toEqual(none)
  })
})
