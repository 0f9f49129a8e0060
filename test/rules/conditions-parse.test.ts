import { describe, expect, test } from "bun:test"
import { type Condition, faultyCondition, needsOf, parseCondition, readCondition } from "../../src/conditions/index.ts"

const segmentId = "0199c0de-0000-7000-8000-00000000000a"

const root = (...groups: unknown[]) => ({ logic: "AND", groups })
const group = (...filters: unknown[]) => ({ filters })
const about = (filter: unknown) => root(group(filter))

/** The faults of a condition: path and code of each. */
function faultsOf(condition: unknown): (readonly [field: string, code: string])[] {
  const parsed = parseCondition(condition, "condition")
  return "faults" in parsed ? parsed.faults.map(({ field, code }) => [field, code] as const) : []
}

/** The faults of a condition with one filter, by its faulty property. */
const faultsIn = (filter: unknown) =>
  faultsOf(about(filter)).map(([field, code]) => [field.replace(/^condition\.groups\.0\.filters\.0\.?/, ""), code])

function treeOf(condition: unknown): Condition {
  const parsed = parseCondition(condition, "condition")
  if ("tree" in parsed) return parsed.tree
  throw new Error(JSON.stringify(parsed.faults))
}

const comparisons = ["equals", "notEquals", "contains", "notContains"]
const order = ["greaterThan", "lessThan", "greaterThanOrEqual", "lessThanOrEqual", "gt", "lt"]
const triggers = ["triggered", "notTriggered", "triggeredWithin", "triggeredOlderThan", "notTriggeredWithin"]

const span = { value: 7, unit: "days" }
const spans: Record<string, object> = {
  within: span,
  olderThan: span,
  triggeredWithin: span,
  triggeredOlderThan: span,
  notTriggeredWithin: span,
}

/** The rows of contract B2.2, with a value valid for all operators of the field. */
const rows: [field: string, operators: string[], value: unknown][] = [
  ["email", comparisons, "ada@example.com"],
  ["subscribed", ["equals", "notEquals"], true],
  ["createdAt", ["equals", "notEquals", ...order, "within", "olderThan"], "2025-06-01"],
  ["updatedAt", ["equals", "notEquals", ...order, "within", "olderThan"], "2025-06-01T10:00:00Z"],
  ["data.plan", [...comparisons, ...order, "exists", "notExists", "within", "olderThan"], "pro"],
  ["data.profile.tier", [...comparisons, ...order, "exists", "notExists", "within", "olderThan"], "gold"],
  ["event.buy", triggers, undefined],
  ["event.email.sent", triggers, undefined],
  ["email.opened", triggers, undefined],
  [`segment.${segmentId}`, ["memberOfSegment", "notMemberOfSegment"], undefined],
]
const everyOperator = [...new Set(rows.flatMap(([, operators]) => operators))]

describe("a field has the operators of its row and no others:", () => {
  test.each(rows)("%s", (field, operators, value) => {
    for (const operator of everyOperator) {
      const filter = { field, operator, ...(spans[operator] ?? { value }) }
      expect([operator, faultsIn(filter)]).toEqual([
        operator,
        operators.includes(operator) ? [] : [["operator", "invalid_enum"]],
      ])
    }
  })
})

test.each([
  ["email.sent", "sent"],
  ["email.delivered", "delivered"],
  ["email.delivery", "delivered"],
  ["email.opened", "opened"],
  ["email.open", "opened"],
  ["email.clicked", "clicked"],
  ["email.click", "clicked"],
  ["email.bounced", "bounced"],
  ["email.bounce", "bounced"],
  ["email.complained", "complained"],
  ["email.complaint", "complained"],
] as const)("%s is about the times mails were %s", (field, activity) => {
  const needs = needsOf(treeOf(about({ field, operator: "triggered" })))
  expect(needs.activities).toEqual(new Set([activity]))
})

test.each([
  "plan",
  "",
  "data",
  "data.",
  "data..x",
  "data.x.",
  "data..",
  ".x",
  "event",
  "event.",
  "email.",
  "email.read",
  "email.Sent",
  "email.constructor",
  "segment.",
  "segment.x",
  `segment.${segmentId}0`,
  "Email",
  "Data.plan",
  "contact.email",
  "constructor",
  "__proto__",
])("an unknown field is refused: %j", (field) => {
  expect(faultsIn({ field, operator: "equals", value: "x" })).toEqual([["field", "invalid_string"]])
})

test.each(["Equals", "=", "toString", "constructor", "__proto__", "", "in"])(
  "an operator that there is not is refused: %j",
  (operator) => {
    expect(faultsIn({ field: "data.x", operator, value: "x" })).toEqual([["operator", "invalid_enum"]])
  },
)

const value = (code: string) => [["value", code]]

describe("a value has a type that its operator compares:", () => {
  test.each<[field: string, operator: string, good: unknown[], bad: unknown[]]>([
    ["email", "equals", ["", "x"], [1, true, [], {}]],
    ["email", "contains", ["", "x"], [1, false, ["x"]]],
    ["subscribed", "equals", [true, false], ["true", 1, {}]],
    ["subscribed", "notEquals", [true], [0, "false"]],
    ["createdAt", "equals", ["2025-06-01"], [1_748_736_000_000, true, {}]],
    ["updatedAt", "greaterThan", ["2025-06-01"], [0, false, []]],
    ["data.x", "equals", ["", "x", 0, -1.5, true, false], [[], {}, ["x"]]],
    ["data.x", "notEquals", ["x", 1, true], [{ a: 1 }]],
    ["data.x", "contains", ["", "x"], [5, true, []]],
    ["data.x", "notContains", ["x"], [5, false, {}]],
    ...order.map((operator): [string, string, unknown[], unknown[]] => [
      "data.x",
      operator,
      ["", "x", 0, 1e300],
      [true, false, [], {}],
    ]),
  ])("%s %s", (field, operator, good, bad) => {
    for (const one of [...good, null]) expect(faultsIn({ field, operator, value: one })).toEqual([])
    for (const one of bad) expect(faultsIn({ field, operator, value: one })).toEqual(value("invalid_type"))
    expect(faultsIn({ field, operator })).toEqual(value("required"))
  })
})

test("a refused type is named", () => {
  const parsed = parseCondition(about({ field: "email", operator: "equals", value: [] }), "condition")
  expect("faults" in parsed && parsed.faults).toEqual([
    {
      field: "condition.groups.0.filters.0.value",
      code: "invalid_type",
      message: "condition.groups.0.filters.0.value must be a string.",
      received: "array",
    },
  ])
})

test.each([
  ["2025-06-01", "2025-06-01T00:00:00.000Z"],
  ["2024-02-29", "2024-02-29T00:00:00.000Z"],
  ["0000-02-29", "0000-02-29T00:00:00.000Z"],
  ["2025-06-01T10:20", "2025-06-01T10:20:00.000Z"],
  ["2025-06-01T10:20:30", "2025-06-01T10:20:30.000Z"],
  ["2025-06-01T10:20:30Z", "2025-06-01T10:20:30.000Z"],
  ["2025-06-01T10:20:30.5Z", "2025-06-01T10:20:30.500Z"],
  ["2025-06-01T10:20:30.069Z", "2025-06-01T10:20:30.069Z"],
  ["2025-06-01T01:30:00+02:00", "2025-05-31T23:30:00.000Z"],
  ["2025-06-01T23:30:00.250-05:30", "2025-06-02T05:00:00.250Z"],
])("%s is the instant %s", (text, iso) => {
  const [filter] = treeOf(about({ field: "createdAt", operator: "greaterThan", value: text })).groups[0]?.filters ?? []
  expect(filter).toEqual({ of: "createdAt", test: "above", expects: "true", value: Date.parse(iso) })
})

test.each([
  "",
  "yesterday",
  "2025",
  "2025-06",
  "2025-6-1",
  "2025-02-29",
  "2025-06-31",
  "2025-13-01",
  "2025-00-01",
  "2025-06-00",
  "2025-06-01T",
  "2025-06-01T10",
  "2025-06-01T24:00:00Z",
  "2025-06-01T10:60:00Z",
  "2025-06-01T10:00:60Z",
  "2025-06-01T10:00:00.Z",
  "2025-06-01T10:00:00+24:00",
  "2025-06-01T10:00:00 Z",
  "2025-06-01 10:00:00",
  " 2025-06-01",
  "2025-06-01\n",
  "20250601",
])("an invalid date is refused: %j", (text) => {
  expect(faultsIn({ field: "createdAt", operator: "equals", value: text })).toEqual(value("invalid_string"))
})

describe("a span is a number from 0 to 100,000 and a unit:", () => {
  test.each([
    "data.x within",
    "data.x olderThan",
    "createdAt within",
    ...triggers.slice(2).map((one) => `event.x ${one}`),
  ])("%s", (text) => {
    const [field, operator] = text.split(" ")
    const faults = (sent: object) => faultsIn({ field, operator, ...sent })
    const unit = "days"
    for (const good of [0, -0, 1, 0.5, 100_000]) expect(faults({ value: good, unit })).toEqual([])
    for (const good of ["days", "hours", "minutes"]) expect(faults({ value: 1, unit: good })).toEqual([])
    expect(faults({ value: -1, unit })).toEqual(value("too_small"))
    expect(faults({ value: -1e-9, unit })).toEqual(value("too_small"))
    expect(faults({ value: 100_000.5, unit })).toEqual(value("too_big"))
    expect(faults({ value: Number.POSITIVE_INFINITY, unit })).toEqual(value("too_big"))
    for (const bad of ["7", true, [], {}]) expect(faults({ value: bad, unit })).toEqual(value("invalid_type"))
    for (const none of [{}, { value: null }]) expect(faults({ ...none, unit })).toEqual(value("required"))
    for (const none of [{}, { unit: null }]) expect(faults({ value: 1, ...none })).toEqual([["unit", "required"]])
    for (const bad of ["weeks", "Days", "day", "", "constructor"])
      expect(faults({ value: 1, unit: bad })).toEqual([["unit", "invalid_enum"]])
    expect(faults({ value: 1, unit: 1 })).toEqual([["unit", "invalid_type"]])
    expect(faults({ value: "1", unit: "weeks" })).toEqual([...value("invalid_type"), ["unit", "invalid_enum"]])
    expect(faults({})).toEqual([...value("required"), ["unit", "required"]])
  })
})

test("value and unit are ignored where an operator takes none, unless they cannot be stored", () => {
  const ignoring = { field: "data.x", operator: "exists" }
  for (const sent of [{ value: {} }, { value: [1, "x"], unit: 7 }, { unit: "weeks" }, { value: null, unit: null }])
    expect(faultsIn({ ...ignoring, ...sent })).toEqual([])
  expect(faultsIn({ field: "email", operator: "equals", value: "x", unit: "weeks" })).toEqual([])
  let deep: unknown = 1
  for (let level = 0; level < 50_000; level++) deep = [deep]
  expect(faultsIn({ ...ignoring, value: deep, unit: Number.POSITIVE_INFINITY })).toEqual([
    ["value", "too_big"],
    ["unit", "too_big"],
  ])
})

test("a number that no double holds is too big", () => {
  for (const number of ["1e400", "-1e400"])
    for (const operator of ["equals", "greaterThan"])
      expect(faultsIn({ field: "data.x", operator, value: JSON.parse(number) })).toEqual(value("too_big"))
})

test("a text to look for has at most 255 characters (contract B2.5.6)", () => {
  for (const field of ["data.x", "email"])
    for (const operator of ["contains", "notContains"]) {
      expect(faultsIn({ field, operator, value: "💌".repeat(255) })).toEqual([])
      expect(faultsIn({ field, operator, value: "💌".repeat(256) })).toEqual(value("too_big"))
      expect(faultsIn({ field, operator, value: "a".repeat(256) })).toEqual(value("too_big"))
    }
  expect(faultsIn({ field: "data.x", operator: "equals", value: "a".repeat(256) })).toEqual([])
})

const good = { field: "email", operator: "contains", value: "a" }

test.each<[what: string, condition: unknown, faults: [string, string][]]>([
  ["nothing", undefined, [["", "required"]]],
  ["null", null, [["", "required"]]],
  ["a list", [], [["", "invalid_type"]]],
  ["a text", "AND", [["", "invalid_type"]]],
  [
    "an empty root",
    {},
    [
      [".logic", "required"],
      [".groups", "required"],
    ],
  ],
  ["no logic", { groups: [group(good)] }, [[".logic", "required"]]],
  ["null for logic", { logic: null, groups: [group(good)] }, [[".logic", "required"]]],
  ["another logic", { logic: "and", groups: [group(good)] }, [[".logic", "invalid_enum"]]],
  ["logic that is no text", { logic: true, groups: [group(good)] }, [[".logic", "invalid_type"]]],
  ["no groups", { logic: "OR" }, [[".groups", "required"]]],
  ["groups that are no list", { logic: "OR", groups: {} }, [[".groups", "invalid_type"]]],
  ["no group", { logic: "OR", groups: [] }, [[".groups", "too_small"]]],
  ["invalid groups", root(null, 1, "x", [], group(good)), [0, 1, 2, 3].map((at) => [`.groups.${at}`, "invalid_type"])],
  ["a group without filters", root({}), [[".groups.0.filters", "required"]]],
  ["a nested root without filters beside it", root({ conditions: about(good) }), [[".groups.0.filters", "required"]]],
  ["filters that are no list", root({ filters: good }), [[".groups.0.filters", "invalid_type"]]],
  ["an empty group", root(group(good), { filters: [] }), [[".groups.1", "too_small"]]],
  ["an empty group with null below", root({ filters: [], conditions: null }), [[".groups.0", "too_small"]]],
  ["an invalid nested root", root({ filters: [], conditions: [] }), [[".groups.0.conditions", "invalid_type"]]],
  [
    "faults far down",
    root(group(good), { filters: [good], conditions: root({ filters: [], conditions: { logic: "XOR", groups: [] } }) }),
    [
      [".groups.1.conditions.groups.0.conditions.logic", "invalid_enum"],
      [".groups.1.conditions.groups.0.conditions.groups", "too_small"],
    ],
  ],
  [
    "invalid filters",
    root(group(good, null, 7, [])),
    [1, 2, 3].map((at) => [`.groups.0.filters.${at}`, "invalid_type"]),
  ],
  [
    "an empty filter",
    about({}),
    [
      [".groups.0.filters.0.field", "required"],
      [".groups.0.filters.0.operator", "required"],
    ],
  ],
  [
    "null for field and operator",
    about({ field: null, operator: null, value: 1 }),
    [
      [".groups.0.filters.0.field", "required"],
      [".groups.0.filters.0.operator", "required"],
    ],
  ],
  [
    "a field and an operator that are no texts",
    about({ field: 1, operator: ["equals"], value: 1 }),
    [
      [".groups.0.filters.0.field", "invalid_type"],
      [".groups.0.filters.0.operator", "invalid_type"],
    ],
  ],
  [
    "all that is wrong with some filters",
    root(
      group(good, { field: "plan", operator: "within", value: -1 }),
      group(
        { operator: "equals" },
        { field: "email", operator: "exists" },
        { field: "subscribed", operator: "equals" },
      ),
    ),
    [
      [".groups.0.filters.1.field", "invalid_string"],
      [".groups.0.filters.1.value", "too_small"],
      [".groups.0.filters.1.unit", "required"],
      [".groups.1.filters.0.field", "required"],
      [".groups.1.filters.0.value", "required"],
      [".groups.1.filters.1.operator", "invalid_enum"],
      [".groups.1.filters.2.value", "required"],
    ],
  ],
])("faults are named with their path: %s", (_, condition, faults) => {
  expect(faultsOf(condition)).toEqual(faults.map(([field, code]) => [`condition${field}`, code]))
})

const nested = (levels: number, innermost: unknown = about(good)): unknown =>
  levels === 1 ? innermost : root({ filters: [], conditions: nested(levels - 1, innermost) })

test("a condition is at most 10 roots deep", () => {
  expect(faultsOf(nested(10))).toEqual([])
  const eleventh = `condition${".groups.0.conditions".repeat(10)}`
  expect(faultsOf(nested(11))).toEqual([[eleventh, "too_big"]])
  expect(faultsOf(nested(11, {}))).toEqual([[eleventh, "too_big"]])
  let bottomless = nested(11)
  for (let level = 0; level < 50_000; level++) bottomless = root({ filters: [], conditions: bottomless })
  expect(faultsOf(bottomless)).toEqual([[eleventh, "too_big"]])
})

test("a condition has at most 200 filters, at any depth", () => {
  const filters = (count: number) => Array.from({ length: count }, () => good)
  expect(faultsOf(root({ filters: filters(200) }))).toEqual([])
  expect(faultsOf(root({ filters: filters(201) }))).toEqual([["condition.groups.0.filters", "too_big"]])
  expect(faultsOf(root({ filters: filters(100_000) }))).toEqual([["condition.groups.0.filters", "too_big"]])
  const spread = root({ filters: filters(150), conditions: about(good) }, { filters: filters(50) }, group({}))
  expect(faultsOf(spread)).toEqual([["condition.groups.1.filters", "too_big"]])
  expect(faultsOf(root({ filters: [{}, ...filters(200)] })).at(-1)).toEqual(["condition.groups.0.filters", "too_big"])
})

test("of a million faults the first thousand are reported", () => {
  const faults = faultsOf({ logic: "AND", groups: new Array(1_000_000).fill(0) })
  expect(faults).toHaveLength(1_000)
  expect(faults.at(-1)).toEqual(["condition.groups.999", "invalid_type"])
})

test("the stored form is the input without unknown keys", () => {
  const sent = {
    logic: "OR",
    groups: [
      { filters: [{ field: "data.n", operator: "gt", value: 5, unit: "weeks", label: "x" }], name: "first" },
      {
        filters: [],
        conditions: {
          logic: "AND",
          groups: [{ filters: [{ field: "data.a", operator: "exists", value: [{}] }] }],
          x: 1,
        },
      },
      { filters: [{ field: "email", operator: "equals", value: " ANN@acme.test " }], conditions: null },
      { filters: [{ field: "data.b", operator: "equals", value: null }] },
    ],
    version: 2,
  }
  const parsed = parseCondition(sent, "condition")
  expect("stored" in parsed && parsed.stored).toEqual({
    logic: "OR",
    groups: [
      { filters: [{ field: "data.n", operator: "gt", value: 5, unit: "weeks" }] },
      {
        filters: [],
        conditions: { logic: "AND", groups: [{ filters: [{ field: "data.a", operator: "exists", value: [{}] }] }] },
      },
      { filters: [{ field: "email", operator: "equals", value: " ANN@acme.test " }], conditions: null },
      { filters: [{ field: "data.b", operator: "equals", value: null }] },
    ],
  } as never)
  if ("stored" in parsed) expect(readCondition(parsed.stored)).toEqual(parsed.tree)
})

test("segments are reported with the path of their reference, also with faults", () => {
  const member = (id: string) => ({ field: `segment.${id}`, operator: "memberOfSegment" })
  const other = "0199c0de-0000-7000-8000-00000000000b"
  const condition = root(group(good, member(segmentId.toUpperCase())), {
    filters: [],
    conditions: about({ field: `segment.${other}`, operator: "equals" }),
  })
  const parsed = parseCondition(condition, "audienceCondition")
  expect(parsed.segments).toEqual([
    { id: segmentId, path: "audienceCondition.groups.0.filters.1.field" },
    { id: other, path: "audienceCondition.groups.1.conditions.groups.0.filters.0.field" },
  ])
  expect("faults" in parsed).toBe(true)
})

test("needs are the facts of a condition, and whether time alone can change its result", () => {
  const tree = treeOf(
    root(
      group(
        { field: "data.profile.tier", operator: "exists" },
        { field: "data.plan", operator: "equals", value: null },
      ),
      {
        filters: [{ field: "event.plan.up", operator: "triggered" }],
        conditions: root(
          group({ field: `segment.${segmentId}`, operator: "notMemberOfSegment" }),
          group(
            { field: "email.open", operator: "notTriggered" },
            { field: "createdAt", operator: "equals", value: null },
          ),
          group(good),
        ),
      },
    ),
  )
  expect(needsOf(tree)).toEqual({
    columns: new Set(["createdAt", "email"]),
    fields: new Set(["profile.tier", "plan"]),
    events: new Set(["plan.up"]),
    activities: new Set(["opened"]),
    segments: new Set([segmentId]),
    clock: false,
  })
})

test.each([
  [{ field: "createdAt", operator: "within", ...span }, true],
  [{ field: "data.x", operator: "olderThan", ...span }, true],
  [{ field: "event.x", operator: "triggeredOlderThan", ...span }, true],
  [{ field: "email.sent", operator: "notTriggeredWithin", ...span }, true],
  [{ field: "event.x", operator: "notTriggered" }, false],
  [{ field: "createdAt", operator: "lessThan", value: "2025-06-01" }, false],
])("time can change the result of %j: %p", (filter, clock) => {
  expect(needsOf(treeOf(root(group(good), { filters: [], conditions: about(filter) }))).clock).toBe(clock)
})

test("a faulty condition is refused as malformed, with all its faults", () => {
  const parsed = parseCondition({ logic: "XOR", groups: [] }, "condition")
  const faults = "faults" in parsed ? parsed.faults : []
  const refusal = faultyCondition(faults)
  expect([refusal.kind, refusal.code, refusal.message]).toEqual([
    "malformed",
    "BAD_REQUEST",
    "condition.logic must be one of AND, OR.",
  ])
  expect(refusal.extras.errors).toHaveLength(2)
})
