import { expect, test } from "bun:test"
import { startTestApp } from "../harness/app.ts"
import { type Scenario, scenarios } from "../harness/scenarios.ts"
import { addSegment, all, field, inSegment, movesOf, onPlan, track } from "../harness/segments.ts"

const unknown = "0199c0de-0000-7000-8000-00000000dead"
const condition = onPlan("pro")
const bare = { error: "condition is required for a DYNAMIC segment." }
const named = (name: string, rest: object = {}) => ({ name, condition, ...rest })

const shapes: Scenario[] = [
  ["without a type or a condition", { name: "A" }],
  ["with a condition of null", { name: "A", condition: null }],
  ["with a list for a condition", { name: "A", condition: [] }],
  ["with a text for a condition", { name: "A", condition: "{}" }],
  ["of type DYNAMIC without a condition", { name: "A", type: "DYNAMIC" }],
  ["of type null, which is DYNAMIC, without a condition", { name: "A", type: null }],
  ["that is wrong otherwise too", { name: "", trackMembership: 5 }],
  ["without anything", {}],
].map(([name, body]) => ({ name: `refuses a segment ${name} barely`, body, status: 400, answer: bare }) as Scenario)

scenarios("POST /segments", [
  ...shapes,
  {
    name: "creates a DYNAMIC segment without a word of its type",
    body: named("  VIP – Köln 2024 "),
    status: 201,
    answer: {
      name: "VIP – Köln 2024",
      description: null,
      type: "DYNAMIC",
      condition,
      trackMembership: false,
      slug: "vip-kln-2024",
      memberCount: 0,
      createdAt: "2026-01-31T09:15:00.000Z",
      updatedAt: "2026-01-31T09:15:00.000Z",
    },
  },
  {
    name: "creates a STATIC segment and ignores what is said of a condition",
    body: {
      name: "List",
      type: "STATIC",
      condition: { logic: "MAYBE" },
      description: "By hand",
      trackMembership: true,
    },
    status: 201,
    answer: { type: "STATIC", condition: null, description: "By hand", trackMembership: true, memberCount: 0 },
  },
  {
    name: "returns a condition as it was sent, less unknown keys",
    body: {
      name: "A",
      condition: {
        groups: [{ filters: [{ unit: 5, operator: "gt", field: "data.n", value: 5, note: "x" }], color: "red" }],
        logic: "OR",
        by: "me",
      },
    },
    status: 201,
    answer: { condition: { logic: "OR", groups: [{ filters: [{ field: "data.n", operator: "gt", value: 5 }] }] } },
  },
  {
    name: "takes null for what may be left out",
    body: named("A", { description: null, type: null, trackMembership: null }),
    status: 201,
    answer: { description: null, type: "DYNAMIC", trackMembership: false },
  },
  { name: "takes a name of 100 characters", body: named(` ${"é".repeat(100)} `), status: 201 },
  {
    name: "takes two segments of one name",
    body: named("VIP Köln 2024"),
    status: 201,
    answer: { slug: "vip-kln-2024" },
  },
  ...(
    [
      ["a missing name", { condition }, { name: "required" }],
      ["a name of null", named("A", { name: null }), { name: "required" }],
      ["a blank name", named("  "), { name: "too_small" }],
      ["a name of 101 characters", named("n".repeat(101)), { name: "too_big" }],
      ["a name of another type", named("A", { name: 5 }), { name: "invalid_type" }],
      ["a description of 501 characters", named("A", { description: "d".repeat(501) }), { description: "too_big" }],
      ["an unknown type", { name: "A", type: "FIXED" }, { type: "invalid_enum" }],
      ["a type of another type", { name: "A", type: 5 }, { type: "invalid_type" }],
      ["a text for a flag", named("A", { trackMembership: "yes" }), { trackMembership: "invalid_type" }],
      [
        "everything at once",
        { type: "FIXED", description: 5 },
        { name: "required", type: "invalid_enum", description: "invalid_type" },
      ],
    ] as const
  ).map(
    ([name, body, fields]): Scenario => ({
      name: `refuses ${name}`,
      body,
      status: 422,
      code: "VALIDATION_ERROR",
      fields,
    }),
  ),
  ...(
    [
      ["logic and groups", {}, { "condition.logic": "required", "condition.groups": "required" }],
      ["an empty list of groups", { logic: "AND", groups: [] }, { "condition.groups": "too_small" }],
      [
        "an operator of another field",
        all(field("email", "gt", "a")),
        { "condition.groups.0.filters.0.operator": "invalid_enum" },
      ],
      [
        "a field of no row",
        all(field("plan", "equals", "a")),
        { "condition.groups.0.filters.0.field": "invalid_string" },
      ],
      ["an unknown segment", all(inSegment(unknown)), { "condition.groups.0.filters.0.field": "custom" }],
      [
        "all at once, those of segments too",
        all(inSegment(unknown), field("data.n", "within", -1, "years")),
        {
          "condition.groups.0.filters.0.field": "custom",
          "condition.groups.0.filters.1.value": "too_small",
          "condition.groups.0.filters.1.unit": "invalid_enum",
        },
      ],
    ] as const
  ).map(
    ([name, sent, fields]): Scenario => ({
      name: `refuses faults in a condition with 400: ${name}`,
      body: { name: "A", condition: sent },
      status: 400,
      code: "BAD_REQUEST",
      fields,
    }),
  ),
  {
    name: "looks at the shape before the content of the condition",
    body: { condition: { logic: "AND", groups: [] } },
    status: 422,
    code: "VALIDATION_ERROR",
    fields: { name: "required" },
  },
  { name: "refuses a public key", key: "pk", body: named("A"), status: 401, code: "INVALID_API_KEY" },
])

test("a refused segment is not stored", async () => {
  const it = await startTestApp()
  await it.api("POST /segments", { body: { name: "A", condition: all(inSegment(unknown)) } })
  expect((await it.api("GET /segments")).body).toEqual([])
  await it.close()
})

test("a new segment is counted at once; its membership begins empty and without events", async () => {
  const it = await startTestApp()
  for (const name of ["ada", "bob", "cyd"])
    await track(it, `${name}@example.com`, { plan: name === "bob" ? "free" : "pro" })
  const segment = await addSegment(it, { name: "Pros", condition, trackMembership: true })
  expect(segment.memberCount).toBe(2)
  await it.settle()
  expect((await it.api("GET /events/names")).body.eventNames).toEqual(["seen"])
  await it.close()
})

test("a contact that matches already joins a tracked segment with its next event of any name (contract B3.4.3)", async () => {
  const it = await startTestApp()
  for (const name of ["ada", "bob"]) await track(it, `${name}@example.com`, { plan: "pro" })
  const segment = await addSegment(it, { name: "Pros", condition, trackMembership: true })
  await track(it, "ada@example.com", {}, "opened the app")
  await it.settle()
  expect(await movesOf(it, segment.id)).toEqual(["entry ada"])

  await it.api(`PATCH /segments/${segment.id}`, { body: { condition: onPlan("free") } })
  await track(it, "ada@example.com", {}, "opened the app")
  await it.settle()
  expect(await movesOf(it, segment.id)).toEqual(["entry ada", "exit ada"])
  await it.close()
})

test("segments are listed newest first, those of other projects not at all", async () => {
  const it = await startTestApp()
  const other = await it.app.projects.create("Other")
  for (const name of ["One", "Two", "Three"]) await addSegment(it, named(name))
  const foreign = await it.api("POST /segments", { key: other.secret, body: named("Foreign") })
  expect((await it.api("GET /segments")).body.map((one: { name: string }) => one.name)).toEqual(["Three", "Two", "One"])
  expect((await it.api("GET /segments", { key: other.secret })).body).toEqual([foreign.body])

  const naming = await it.api("POST /segments", { body: { name: "A", condition: all(inSegment(foreign.body.id)) } })
  expect([naming.status, naming.body.error.errors[0].code]).toEqual([400, "custom"])
  for (const route of [
    "GET",
    "PATCH",
    "DELETE",
    "GET/contacts",
    "POST/members",
    "DELETE/members",
    "POST/compute",
    "POST/refresh",
  ]) {
    const [method, rest] = route.split("/")
    const path = `/segments/${foreign.body.id}${rest === undefined ? "" : `/${rest}`}`
    const answer = await it.api(`${method} ${path}`, {
      ...(method === "GET" ? {} : { body: { emails: ["a@example.com"] } }),
    })
    expect([route, answer.status, answer.body.error.code]).toEqual([route, 404, "RESOURCE_NOT_FOUND"])
  }
  await it.close()
})

test("a condition has at most 256 KB, however long its values are (contract B2.1.4)", async () => {
  const it = await startTestApp()
  try {
    const at = (length: number) => ({ name: "Long", condition: onPlan("x".repeat(length)) })
    const limit = 262_144 - JSON.stringify(onPlan("")).length
    expect((await it.api("POST /segments", { body: at(limit) })).status).toBe(201)
    for (const route of ["POST /segments", "POST /segments/preview"]) {
      const { status, body } = await it.api(route, { body: at(limit + 1) })
      const faults = body.error.errors.map(({ field, code }: { field: string; code: string }) => [field, code])
      expect([status, faults]).toEqual([400, [["condition", "too_big"]]])
    }
  } finally {
    await it.close()
  }
})

test("the fields of a condition have at most 262,144 characters together, and no more are read (contract B2.5.6)", async () => {
  const it = await startTestApp()
  try {
    const field = `data.${"a.".repeat(60_000)}a`
    const filters = Array(3).fill({ field, operator: "exists" })
    const answer = await it.api("POST /segments/preview", {
      body: { condition: { logic: "AND", groups: [{ filters }] } },
    })
    const faults = answer.body.error.errors.map(({ field, code }: { field: string; code: string }) => [field, code])
    expect([answer.status, faults]).toEqual([400, [["condition.groups.0.filters.2.field", "too_big"]]])
  } finally {
    await it.close()
  }
})
