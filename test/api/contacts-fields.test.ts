import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { countEffects, gained } from "../harness/scenarios.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp({ settings: { "limits.requests_per_minute": "0" } })
})
afterAll(() => it.close())

/** A separate project for each test. */
async function project() {
  const { secret } = await it.app.projects.create("Fields")
  const api: TestApp["api"] = (route, call = {}) => it.api(route, { key: secret, ...call })
  let count = 0
  return {
    api,
    /** A contact with this data; resolves to its id. */
    async person(data: object = {}): Promise<string> {
      count++
      return (await api("POST /contacts", { body: { email: `person${count}@example.com`, data } })).body.id
    },
    patch: (id: string, data: object) => api(`PATCH /contacts/${id}`, { body: { data } }),
    dataOf: async (id: string) => (await api(`GET /contacts/${id}`)).body.data,
    async custom(): Promise<Record<string, [type: string, coverage: number]>> {
      const { fields } = (await api("GET /contacts/fields")).body
      const own = fields.filter(({ isCustom }: { isCustom: boolean }) => isCustom)
      return Object.fromEntries(
        own.map((one: { field: string; type: string; coverage: number }) => [one.field, [one.type, one.coverage]]),
      )
    },
    values: async (field: string, query = "") =>
      (await api(`GET /contacts/fields/${encodeURIComponent(field)}/values${query}`)).body,
    usage: async (field: string) => (await api(`GET /contacts/fields/${encodeURIComponent(field)}/usage`)).body,
    drop: async (field: string) => (await api(`DELETE /contacts/fields/${encodeURIComponent(field)}`)).body,
  }
}

const core = [
  { field: "createdAt", type: "date", isCustom: false, coverage: 1 },
  { field: "email", type: "string", isCustom: false, coverage: 1 },
  { field: "subscribed", type: "boolean", isCustom: false, coverage: 1 },
  { field: "updatedAt", type: "date", isCustom: false, coverage: 1 },
]

describe("GET /contacts/fields (contract A5.7)", () => {
  test("has the core fields, also without contacts", async () => {
    const { api } = await project()
    expect((await api("GET /contacts/fields")).body).toEqual({ fields: core, count: 4 })
  })

  test("has every key with its type and the share of contacts that have it, by name", async () => {
    const { api, person } = await project()
    await person({ plan: "pro", age: 41, vip: true, since: "2026-01-31", profile: { tier: "gold" }, tags: ["a"] })
    await person({ plan: "free", age: "41" })
    await person({ subscribed: "maybe" })
    const { fields, count } = (await api("GET /contacts/fields")).body
    const custom = (field: string, type: string, coverage: number) => ({ field, type, isCustom: true, coverage })
    expect(fields).toEqual([
      core[0],
      custom("data.age", "number", 0.6667),
      custom("data.plan", "string", 0.6667),
      custom("data.profile", "string", 0.3333),
      custom("data.since", "date", 0.3333),
      custom("data.subscribed", "string", 0.3333),
      custom("data.tags", "string", 0.3333),
      custom("data.vip", "boolean", 0.3333),
      core[1],
      core[2],
      core[3],
    ])
    expect(count).toBe(11)
  })

  test("follows every change of a contact", async () => {
    const { api, person, patch, custom } = await project()
    const [one, other] = [await person({ plan: "pro" }), await person()]
    expect(await custom()).toEqual({ "data.plan": ["string", 0.5] })
    await patch(other, { plan: "free" })
    expect(await custom()).toEqual({ "data.plan": ["string", 1] })
    await patch(other, { plan: "team" })
    expect(await custom()).toEqual({ "data.plan": ["string", 1] })
    await patch(one, { plan: null })
    expect(await custom()).toEqual({ "data.plan": ["string", 0.5] })
    await api(`DELETE /contacts/${other}`)
    expect(await custom()).toEqual({ "data.plan": ["string", 0] })
  })

  test.each(['a"b', "a\\b", "a\u0000b", "a\nb", "\u{1f600}", "[0]", "\ud800"])(
    "counts a key and counts it off again, whatever it is made of: %j",
    async (key) => {
      const { api, person, custom, drop } = await project()
      const field = `data.${key.toWellFormed()}`
      const [one, two] = [await person({ [key]: 1 }), await person({ [key]: 2 })]
      await person()
      expect(await custom()).toEqual({ [field]: ["number", 0.6667] })
      await api(`DELETE /contacts/${one}`)
      expect(await custom()).toEqual({ [field]: ["number", 0.5] })
      expect(await drop(field)).toEqual({ deletedFrom: 1 })
      expect((await api(`GET /contacts/${two}`)).body.data).toEqual({})
      expect(await custom()).toEqual({})
    },
  )

  test("excludes other projects, and requires a secret key", async () => {
    const [mine, theirs] = [await project(), await project()]
    await theirs.person({ secret: 1 })
    expect(await mine.custom()).toEqual({})
    expect((await it.api("GET /contacts/fields", { key: "pk" })).body.error.code).toBe("INVALID_API_KEY")
  })
})

describe("GET /contacts/fields/{field}/values (contract A5.8)", () => {
  test("has the distinct primitives, ascending: numbers, strings, booleans", async () => {
    const { person, values } = await project()
    const mixed = [
      "b",
      10,
      true,
      "a",
      2,
      "B",
      "10",
      false,
      -1.5,
      "a",
      2,
      "é",
      "💌",
      "\uffee",
      null,
      "",
      [1],
      { x: 1 },
      1e21,
      0.1,
    ]
    for (const value of mixed) await person({ mixed: value })
    const sorted = [-1.5, 0.1, 2, 10, 1e21, "10", "B", "a", "b", "é", "\uffee", "💌", false, true]
    expect(await values("data.mixed")).toEqual({ field: "data.mixed", values: sorted, count: 14, limit: 100 })
    expect(await values("mixed")).toEqual({ field: "data.mixed", values: sorted, count: 14, limit: 100 })
  })

  test("has the smallest values when there are more than the limit", async () => {
    const { person, values } = await project()
    for (let at = 0; at < 210; at++) await person({ n: (at * 37) % 210 })
    const upTo = (count: number) => Array.from({ length: count }, (_, at) => at)
    for (const [query, limit] of [
      ["", 100],
      ["?limit=3", 3],
      ["?limit=200", 200],
      ["?limit=500", 200],
      ["?limit=0", 100],
      ["?limit=x", 100],
    ] as const)
      expect(await values("n", query)).toEqual({ field: "data.n", values: upTo(limit), count: limit, limit })
  })

  test("reaches inside objects by a dotted path, never into arrays and strings", async () => {
    const { person, values } = await project()
    for (const profile of [
      { tier: "gold", address: { city: "Oslo" } },
      { tier: "silver" },
      ["a"],
      "text",
      { tier: { deep: 1 } },
    ])
      await person({ profile })
    expect((await values("data.profile.tier")).values).toEqual(["gold", "silver"])
    expect((await values("profile.address.city")).values).toEqual(["Oslo"])
    for (const nowhere of [
      "profile.0",
      "profile.length",
      "profile.nothing",
      "profile.tier.gold",
      "profile..tier",
      "profile.",
    ])
      expect(await values(nowhere)).toEqual({ field: `data.${nowhere}`, values: [], count: 0, limit: 100 })
  })

  test("handles a key with dots literally", async () => {
    const { person, values } = await project()
    await person({ "a.b": "key", a: { b: "path", c: "other" } })
    expect((await values("a.b")).values).toEqual(["key"])
    expect((await values("a.c")).values).toEqual(["other"])
    await person({ "d.e": { f: 1, "g.h": 2 } })
    expect((await values("d.e.f")).values).toEqual([1])
    expect((await values("data.d.e.f")).values).toEqual([1])
  })

  test.each([
    "first name",
    'quo"te',
    "back\\slash",
    "a[0]",
    "$",
    "é💌",
    "%",
    "line\nbreak",
    "slash/ed",
    "data",
    "'",
    "constructor",
  ])("handles the key %j literally", async (key) => {
    const { person, values } = await project()
    await person({ [key]: { [key]: 1 } })
    await person({ [key]: "x" })
    expect(await values(`data.${key}`)).toMatchObject({ field: `data.${key}`, values: ["x"] })
    expect((await values(`data.${key}.${key}`)).values).toEqual([1])
  })

  test("lists values only of the core field that has few", async () => {
    const { person, values } = await project()
    await person({ subscribed: "maybe" })
    expect(await values("subscribed")).toEqual({ field: "subscribed", values: [true, false], count: 2, limit: 100 })
    for (const field of ["email", "createdAt", "updatedAt"])
      expect(await values(field)).toMatchObject({ field, values: [], count: 0 })
    expect((await values("data.subscribed")).values).toEqual(["maybe"])
  })

  test("lists no values of a field that no contact has", async () => {
    const { values } = await project()
    for (const field of ["nothing", "data.nothing", "data.", "data.data.x", "__proto__"])
      expect((await values(field)).values).toEqual([])
  })
})

describe("GET /contacts/fields/{field}/usage (contract A5.10)", () => {
  const unused = { usedInSegments: [], usedInCampaigns: [], usedInWorkflows: [], canDelete: true }

  test("counts the contacts that have the field", async () => {
    const { person, usage } = await project()
    for (const data of [{ plan: "pro", profile: { tier: "gold" } }, { plan: "free", profile: {} }, {}])
      await person(data)
    expect(await usage("data.plan")).toEqual({ ...unused, contactCount: 2 })
    expect(await usage("profile")).toEqual({ ...unused, contactCount: 2 })
    expect(await usage("profile.tier")).toEqual({ ...unused, contactCount: 1 })
    expect(await usage("email")).toEqual({ ...unused, contactCount: 3 })
    expect(await usage("nothing")).toEqual({ ...unused, contactCount: 0 })
  })
})

describe("DELETE /contacts/fields/{field} (contract A5.9)", () => {
  test("removes the key from every contact, counts them and deletes the type", async () => {
    const { api, person, patch, dataOf, custom, drop } = await project()
    const [one, two, three] = [
      await person({ plan: "pro", city: "Oslo" }),
      await person({ plan: 5 }),
      await person({ city: "Bergen" }),
    ]
    const before = await Promise.all([one, two, three].map(async (id) => (await api(`GET /contacts/${id}`)).body))
    await it.advance({ seconds: 1 })
    expect(await drop("data.plan")).toEqual({ deletedFrom: 2 })
    expect(await Promise.all([one, two, three].map(dataOf))).toEqual([{ city: "Oslo" }, {}, { city: "Bergen" }])
    expect(await custom()).toEqual({ "data.city": ["string", 0.6667] })
    const after = await Promise.all([one, two, three].map(async (id) => (await api(`GET /contacts/${id}`)).body))
    expect(after.map(({ updatedAt }, at) => updatedAt !== before[at].updatedAt)).toEqual([true, true, false])

    await patch(three, { plan: 7 })
    expect(await custom()).toMatchObject({ "data.plan": ["number", 0.3333] })
    await it.advance({ minutes: 5 })
    expect(await dataOf(three)).toEqual({ city: "Bergen", plan: 7 })
  })

  test("again, or for a field that no contact has, changes nothing", async () => {
    const { person, drop } = await project()
    await person({ plan: "pro" })
    expect([await drop("plan"), await drop("plan"), await drop("data.nothing")]).toEqual([
      { deletedFrom: 1 },
      { deletedFrom: 0 },
      { deletedFrom: 0 },
    ])
  })

  test("of a field without values deletes its type", async () => {
    const { person, patch, custom, drop } = await project()
    const id = await person({ plan: "pro" })
    await patch(id, { plan: null })
    expect(await custom()).toEqual({ "data.plan": ["string", 0] })
    expect(await drop("plan")).toEqual({ deletedFrom: 0 })
    expect(await custom()).toEqual({})
  })

  test("deletes a type also when there are no contacts", async () => {
    const empty = await startTestApp()
    const { body } = await empty.api("POST /contacts", { body: { email: "ada@example.com", data: { plan: "pro" } } })
    await empty.api(`DELETE /contacts/${body.id}`)
    expect((await empty.api("DELETE /contacts/fields/plan")).body).toEqual({ deletedFrom: 0 })
    expect((await empty.api("GET /contacts/fields")).body).toEqual({ fields: core, count: 4 })
    await empty.close()
  })

  test("removes a value from an object by its path, and keeps the rest", async () => {
    const { person, dataOf, custom, drop } = await project()
    const ids = [
      await person({ profile: { tier: "gold", since: 2020 } }),
      await person({ profile: { tier: null } }),
      await person({ profile: "text" }),
    ]
    expect(await drop("data.profile.tier")).toEqual({ deletedFrom: 2 })
    expect(await Promise.all(ids.map(dataOf))).toEqual([
      { profile: { since: 2020 } },
      { profile: {} },
      { profile: "text" },
    ])
    expect(await custom()).toEqual({ "data.profile": ["string", 1] })
  })

  test.each(["email", "subscribed", "createdAt", "updatedAt"])("refuses the core field %s", async (field) => {
    const { api, person, dataOf, drop } = await project()
    const id = await person({ [field]: "custom" })
    // If the name is not reserved, data may have a field with this name, which can be deleted.
    const own = field === "email" ? {} : { [field]: "custom" }
    const answer = await api(`DELETE /contacts/fields/${field}`)
    expect([answer.status, answer.body.error.code]).toEqual([400, "BAD_REQUEST"])
    expect(await dataOf(id)).toEqual(own)
    expect(await drop(`data.${field}`)).toEqual({ deletedFrom: Object.keys(own).length })
    expect(await dataOf(id)).toEqual({})
  })

  test("does not affect other projects", async () => {
    const [mine, theirs] = [await project(), await project()]
    await mine.person({ plan: "pro" })
    const id = await theirs.person({ plan: "pro" })
    expect(await mine.drop("plan")).toEqual({ deletedFrom: 1 })
    expect([await theirs.dataOf(id), await theirs.custom()]).toEqual([{ plan: "pro" }, { "data.plan": ["string", 1] }])
  })

  test("records no event and sends no mail", async () => {
    const { person, drop } = await project()
    await person({ plan: "pro" })
    const before = await countEffects(it)
    await drop("plan")
    expect(gained(before, await countEffects(it))).toEqual({ events: {}, mails: 0, contacts: 0 })
    expect(it.complaints).toEqual([])
  })
})
