import { afterAll, beforeAll, expect, test } from "bun:test"
import fc from "fast-check"
import type { Condition } from "../../src/conditions/index.ts"
import { day, hour, minute } from "../../src/kernel/clock.ts"
import type { Json, JsonObject } from "../../src/kernel/json.ts"
import { askingBoth, type BothReaders, type Person, type TestSegments, treeOf } from "../harness/conditions.ts"
import { openTestStore, scratch, type TestStore } from "../harness/store.ts"

const now = Date.parse("2025-06-15T12:00:00.500Z")

const keys = [
  "plan",
  "n",
  "x",
  'a"b',
  "a\\b",
  "[0]",
  "$",
  "0",
  "é",
  "😀",
  "\ud83d",
  "k\u0000",
  "__proto__",
  "constructor",
]
const key = fc.constantFrom(...keys)
/** The data also has keys that no field refers to. */
const anyKey = fc.oneof({ weight: 8, arbitrary: key }, { weight: 1, arbitrary: fc.constantFrom("a.b", "", "plan.x") })

const texts = [
  ..."abcnuABCNU0159%_*?'\"\\/",
  "",
  "pro",
  "PRO",
  "Pro Max",
  "\n",
  "\\n",
  "\u0000",
  "a\u0000b",
  "A\u0000Bc",
  "\u0001",
  "\u007f",
  "\u0080",
  "\u2028",
  "é",
  "É",
  "ß",
  "ı",
  "İ",
  "\u212a",
  "\ue000",
  "\uffff",
  "\ud83d",
  "\ude00",
  "😀",
  "𐀀",
  "null",
  "true",
  "5",
  "{}",
  '{"a":1}',
  "[1]",
]
const stamps = [
  "2025-06-15T12:00:00Z",
  "2025-06-15T12:00:00.500Z",
  "2025-06-15T12:00:01Z",
  "2025-06-15T11:59:00.500Z",
  "2025-06-15T11:59:00Z",
  "2025-06-14T12:00:00.499Z",
  "2025-06-14T12:00:01Z",
  "2025-06-31T12:00:00Z",
  "2025-06-14T24:00:00Z",
  "2025-06-14",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999Z",
  "2024-02-29T00:00:00.000Z",
  "2025-02-29T00:00:00.000Z",
]
const text = fc.oneof(
  fc.constantFrom(...texts),
  fc.constantFrom(...stamps),
  fc.array(fc.constantFrom(...texts), { maxLength: 4 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 3 }),
)

const numbers = [0, -0, 1, -1, 5, 0.1, 0.3, 0.1 + 0.2, 1 / 3, -1.5, 2 ** 31, 2 ** 53, 2 ** 53 + 2, 2 ** 60, 2 ** 63]
const number = fc.oneof(
  fc.constantFrom(...numbers, -(2 ** 63), 2 ** 64, 1e21, 1e-7, 5e-324, Number.MAX_VALUE, -Number.MAX_VALUE),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  // Neighbours that have no double of their own.
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 66n }).map(Number),
)

const primitive = fc.oneof(text, number, fc.boolean())
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, depthSize: "small" },
    fc.oneof({ weight: 6, arbitrary: primitive }, { weight: 1, arbitrary: fc.constant(null) }),
    fc.array(fc.tuple(anyKey, tie("value")), { maxLength: 3 }).map(objectOf),
    fc.array(tie("value"), { maxLength: 2 }),
  ),
}))
const data = fc.array(fc.tuple(anyKey, value), { maxLength: 5 }).map(objectOf)

/** `Object.fromEntries` creates `__proto__` as an own key. */
function objectOf(entries: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(entries)
}

const counts = [0, 0.5, 1, 2, 7, 31, 0.0001, 100_000]
const spans = [0, 1, 499, 500, 501, 30_000, minute, hour, day, 7 * day, 31 * day, 100_000 * day]
const time = fc.oneof(
  fc.constantFrom(...spans.flatMap((span) => [now - span - 1, now - span, now - span + 1])),
  fc.constantFrom(...[0, 1, 7].flatMap((days) => [Date.UTC(2025, 5, 15 - days) - 1, Date.UTC(2025, 5, 15 - days)])),
  fc.integer({ min: now - 400 * day, max: now + day }),
)

const names = ["buy", "BUY", "plan.up", "é", "a'b"]
const activities = ["sent", "delivered", "opened", "clicked", "bounced", "complained"] as const
const person: fc.Arbitrary<Omit<Person, "email">> = fc.record({
  subscribed: fc.boolean(),
  createdAt: time,
  updatedAt: time,
  data,
  events: fc.array(fc.record({ name: fc.constantFrom(...names), at: time }), { maxLength: 3 }),
  mails: fc.array(fc.dictionary(fc.constantFrom(...activities), time), { maxLength: 2 }),
})
const people = fc
  .array(person, { minLength: 1, maxLength: 6 })
  .map((some) => some.map((one, at) => ({ ...one, email: `${"abcdef"[at]}nn${at}@acme.test` })))

const segmentIds = [1, 2, 3].map((at) => `00000000-0000-7000-8000-00000000000${at}`)
const segments: TestSegments = new Map<string, readonly string[] | Condition>([
  [segmentIds[0] ?? "", ["ann0@acme.test", "cnn2@acme.test"]],
  [segmentIds[1] ?? "", treeOf({ logic: "AND", groups: [{ filters: [{ field: "data.plan", operator: "exists" }] }] })],
])

const row = (fields: fc.Arbitrary<string>, operators: readonly string[], value: fc.Arbitrary<unknown>) =>
  fc.record({
    field: fields,
    operator: fc.constantFrom(...operators),
    value: fc.oneof(value, value, fc.constant(null)),
  })
const span = fc.record({ value: fc.constantFrom(...counts), unit: fc.constantFrom("minutes", "hours", "days") })
const within = (fields: fc.Arbitrary<string>, operators: readonly string[]) =>
  fc.tuple(fields, fc.constantFrom(...operators), span).map(([field, operator, rest]) => ({ field, operator, ...rest }))

const order = ["greaterThan", "lessThan", "greaterThanOrEqual", "lessThanOrEqual", "gt", "lt"]
const path = fc.array(key, { minLength: 1, maxLength: 3 }).map((parts) => `data.${parts.join(".")}`)
const column = fc.constantFrom("createdAt", "updatedAt")
const dated = time.map((at) => new Date(at).toISOString()).chain((iso) => fc.constantFrom(iso, iso.slice(0, 10)))
const happening = fc.constantFrom(
  ...names.map((name) => `event.${name}`),
  ...["sent", "delivery", "opened", "click", "bounced", "complaint"].map((name) => `email.${name}`),
)
const filter = fc.oneof(
  { weight: 4, arbitrary: row(path, ["equals", "notEquals"], primitive) },
  { weight: 4, arbitrary: row(path, ["contains", "notContains"], text) },
  { weight: 4, arbitrary: row(path, order, fc.oneof(text, number)) },
  { weight: 2, arbitrary: row(path, ["exists", "notExists"], fc.constant("ignored")) },
  { weight: 3, arbitrary: within(path, ["within", "olderThan"]) },
  { weight: 1, arbitrary: row(fc.constant("email"), ["equals", "notEquals"], fc.constantFrom(" ANN0@acme.test", "x")) },
  { weight: 1, arbitrary: row(fc.constant("email"), ["contains", "notContains"], fc.oneof(text, fc.constant("NN1"))) },
  { weight: 1, arbitrary: row(fc.constant("subscribed"), ["equals", "notEquals"], fc.boolean()) },
  { weight: 2, arbitrary: row(column, ["equals", "notEquals", ...order], dated) },
  { weight: 2, arbitrary: within(column, ["within", "olderThan"]) },
  { weight: 1, arbitrary: row(happening, ["triggered", "notTriggered"], fc.constant(1)) },
  { weight: 2, arbitrary: within(happening, ["triggeredWithin", "triggeredOlderThan", "notTriggeredWithin"]) },
  {
    weight: 1,
    arbitrary: row(
      fc.constantFrom(...segmentIds.map((id) => `segment.${id}`)),
      ["memberOfSegment", "notMemberOfSegment"],
      fc.constant(1),
    ),
  },
)
const { root } = fc.letrec<{ root: unknown; group: unknown }>((tie) => ({
  root: fc.record({
    logic: fc.constantFrom("AND", "OR"),
    groups: fc.array(tie("group"), { minLength: 1, maxLength: 3 }),
  }),
  group: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.record({ filters: fc.array(filter, { minLength: 1, maxLength: 3 }) }),
    fc.record({ filters: fc.array(filter, { maxLength: 2 }), conditions: tie("root") }),
  ),
}))
/** Single filters reveal differences best: in a larger tree another filter may decide. */
const condition = fc.oneof(
  filter.map((one): unknown => ({ logic: "AND", groups: [{ filters: [one] }] })),
  root,
)

const folder = scratch()
let store: TestStore
let both: BothReaders
beforeAll(async () => {
  store = await openTestStore(folder())
  both = await askingBoth(store, segments)
})
afterAll(() => store.close())

test("both evaluations find the same contacts for any data and condition", async () => {
  let found = 0
  let asked = 0
  await fc.assert(
    fc.asyncProperty(people, fc.array(condition, { minLength: 10, maxLength: 20 }), async (some, conditions) => {
      await both.fill(some)
      for (const tree of conditions.map(treeOf)) {
        const bySql = await both.bySql(tree, now)
        expect(both.byFacts(tree, now)).toEqual(bySql)
        expect(await both.undecided(tree, now)).toEqual([])
        found += bySql.length
        asked += some.length
      }
    }),
    { numRuns: 150, seed: 7 },
  )
  expect(found).toBeGreaterThan(asked / 10)
  expect(found).toBeLessThan((asked * 9) / 10)
})

test("both evaluations accept the largest condition", async () => {
  const three = [
    { field: "data.n", operator: "notEquals", value: 0 },
    { field: "data.plan", operator: "olderThan", value: 0, unit: "days" },
    { field: "data.x.0", operator: "exists" },
  ]
  const filters = Array.from({ length: 20 }, (_, at) => three[at % three.length])
  const nested = (levels: number): unknown => ({
    logic: levels % 2 === 0 ? "AND" : "OR",
    groups: [...filters.slice(1).map((one) => ({ filters: [one] })), levelBelow(levels)],
  })
  const levelBelow = (levels: number): unknown =>
    levels === 1 ? { filters: filters.slice(0, 1) } : { filters: filters.slice(0, 1), conditions: nested(levels - 1) }
  const some = { subscribed: true, createdAt: 0, updatedAt: 0, events: [], mails: [] }
  await both.fill([
    { ...some, email: "a@acme.test", data: { n: 1, plan: "2025-06-14T12:00:00Z", x: { "0": 1 } } },
    { ...some, email: "b@acme.test", data: {} },
  ])
  const tree = treeOf(nested(10))
  expect(await both.bySql(tree, now)).toEqual(both.byFacts(tree, now))
  expect(both.byFacts(tree, now)).toEqual(["a@acme.test"])
  const wide = treeOf({ logic: "OR", groups: [{ filters: Array.from({ length: 200 }, () => filters[0]) }] })
  expect(await both.bySql(wide, now)).toEqual(["a@acme.test"])
})

/** A value of a contact, or one similar to it. */
const alike = primitive.chain((one) =>
  fc.tuple(fc.constant(one), fc.oneof(fc.constant(one), primitive, typeof one === "string" ? relatedTo(one) : number)),
)
function relatedTo(one: string): fc.Arbitrary<string> {
  const [from, to] = [fc.nat(one.length), fc.nat(one.length)]
  return fc.oneof(
    fc.tuple(from, to).map(([a, b]) => one.slice(a, b)),
    fc.tuple(from, text).map(([a, more]) => one.slice(0, a) + more),
    fc.constantFrom(one.toUpperCase(), one.toLowerCase()),
  )
}

test("both evaluations agree on nearly equal values", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(alike, { minLength: 20, maxLength: 40 }), async (pairs) => {
      const some = pairs.map(([x], at) => ({ email: `${at}@acme.test`, data: { x } }))
      await both.fill(
        some.map((one) => ({ ...one, subscribed: true, createdAt: 0, updatedAt: 0, events: [], mails: [] })),
      )
      for (const [, value] of pairs)
        for (const operator of operatorsFor(value)) {
          const tree = treeOf({ logic: "AND", groups: [{ filters: [{ field: "data.x", operator, value }] }] })
          expect(both.byFacts(tree, now)).toEqual(await both.bySql(tree, now))
        }
    }),
    { numRuns: 40, seed: 7 },
  )
})

function operatorsFor(value: string | number | boolean): string[] {
  if (typeof value === "boolean") return ["equals", "notEquals"]
  return ["equals", "notEquals", ...order, ...(typeof value === "string" ? ["contains", "notContains"] : [])]
}
