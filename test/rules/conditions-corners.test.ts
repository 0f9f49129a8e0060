import { afterAll, beforeAll, expect, test } from "bun:test"
import { sql } from "drizzle-orm"
import type { JsonObject } from "../../src/kernel/json.ts"
import { askingBoth, type BothReaders, person, treeOf } from "../harness/conditions.ts"
import { openTestStore, scratch, type TestStore } from "../harness/store.ts"

const now = Date.parse("2025-06-15T12:00:00.000Z")

const folder = scratch()
let store: TestStore
let both: BothReaders
beforeAll(async () => {
  store = await openTestStore(folder())
  both = await askingBoth(store)
})
afterAll(() => store.close())

/** Whether a contact with this data matches one filter, by both evaluations. */
async function say(data: JsonObject, path: string, operator: string, value?: unknown, unit?: string, at = now) {
  await both.fill([person("one@acme.test", true, "2025-06-01T00:00:00.000Z", { data })])
  const filters = [{ field: `data.${path}`, operator, value, unit }]
  const tree = treeOf(JSON.parse(JSON.stringify({ logic: "AND", groups: [{ filters }] })))
  const [sql, facts] = [await both.bySql(tree, at), both.byFacts(tree, at)]
  expect(sql).toEqual(facts)
  return facts.length === 1
}

const many = 254

test.each<[data: JsonObject, field: string, operator: string, value: unknown, wanted: boolean]>([
  // Characters of an escape sequence are not characters of the text.
  [{ x: "a\nb" }, "x", "contains", "n", false],
  [{ x: "a\nb" }, "x", "contains", "\\", false],
  [{ x: "a\nb" }, "x", "contains", "A\nB", true],
  [{ x: "a\\b" }, "x", "contains", "\\B", true],
  [{ x: "a\u0001b" }, "x", "contains", "0001", false],
  [{ x: "ab" }, "x", "contains", '"', false],
  [{ x: 'a"b' }, "x", "contains", '"', true],
  [{ x: "\\n" }, "x", "notContains", "\n", true],
  // NUL does not end a text.
  [{ x: "a\u0000PRO" }, "x", "contains", "pro", true],
  [{ x: "a\u0000PRO" }, "x", "contains", "\u0000p", true],
  [{ x: "a\u0000PRO" }, "x", "equals", "a", false],
  [{ x: "a\u0000PRO" }, "x", "equals", "a\u0000PRO", true],
  [{ x: "a\u0000PRO" }, "x", "greaterThan", "a\u0000PR", true],
  [{ x: "a\u0000PRO" }, "x", "lessThan", "a\u0000Q", true],
  // No character is a wildcard.
  [{ x: "100" }, "x", "contains", "%", false],
  [{ x: "100" }, "x", "contains", "1_0", false],
  [{ x: "100%" }, "x", "contains", "0%", true],
  [{ x: "a*b?" }, "x", "contains", "*B?", true],
  // Only A to Z have two cases.
  [{ x: "\u212a" }, "x", "contains", "k", false],
  [{ x: "İ" }, "x", "contains", "i", false],
  [{ x: "ÄB" }, "x", "contains", "Äb", true],
  [{ x: "äb" }, "x", "contains", "Ä", false],
  // Longer than any pattern.
  [{ x: `${"A".repeat(many)}b` }, "x", "contains", `${"a".repeat(many)}B`, true],
  [{ x: `${"A".repeat(many)}b` }, "x", "contains", `${"a".repeat(many)}c`, false],
  [{ x: `${"a".repeat(253)}😀b` }, "x", "contains", `${"A".repeat(253)}😀b`, true],
  [{ x: `${"a".repeat(253)}😀b` }, "x", "notContains", `${"A".repeat(253)}😀c`, true],
  // Half a pair of surrogates.
  [{ x: "😀" }, "x", "contains", "\ud83d", false],
  [{ x: "😀" }, "x", "contains", "\ude00", false],
  [{ x: "\ude00😀\ud83d" }, "x", "contains", "\ud83d", true],
  [{ x: "a\ud83db" }, "x", "contains", "A\ud83dB", true],
  [{ x: "\ud83d" }, "x", "equals", "\ud83d", true],
  [{ x: "\ud83d" }, "x", "equals", "\ufffd", false],
  [{ x: "\ufffd" }, "x", "equals", "\ud83d", false],
  [{ x: "\ud83d" }, "x", "lessThan", "\ue000", true],
  [{ x: "\ud83d\ud83d" }, "x", "lessThan", "😀", true],
  // By code point, which is not the order of UTF-16.
  [{ x: "😀" }, "x", "greaterThan", "\uffff", true],
  [{ x: "\ue000" }, "x", "lessThan", "😀", true],
  [{ x: "😀b" }, "x", "greaterThan", "😀a", true],
  [{ x: "Z" }, "x", "lessThan", "a", true],
  [{ x: "" }, "x", "lessThan", "a", true],
  [{ x: "" }, "x", "greaterThanOrEqual", "", true],
  [{ x: "a" }, "x", "lessThan", "ab", true],
  [{ x: "a" }, "x", "lessThanOrEqual", "a", true],
  [{ x: "a" }, "x", "greaterThan", "a", false],
  // Values other than text and number have no order with them.
  [{ x: { y: "pro" } }, "x", "contains", "pro", false],
  [{ x: { y: "pro" } }, "x", "notContains", "pro", true],
  [{ x: { y: 1 } }, "x", "greaterThan", "a", false],
  [{ x: { y: 1 } }, "x", "equals", '{"y":1}', false],
  [{ x: [1] }, "x", "lessThan", "z", false],
  [{ x: [1] }, "x", "notEquals", 1, true],
  [{ x: true }, "x", "greaterThan", 0, false],
  [{ x: false }, "x", "lessThan", 5, false],
  [{ x: true }, "x", "equals", "true", false],
  [{ x: "true" }, "x", "equals", true, false],
  [{ x: "5" }, "x", "greaterThan", 4, false],
  [{ x: "z" }, "x", "greaterThan", 4, false],
  [{ x: "-1" }, "x", "lessThan", 4, false],
  [{ x: 5 }, "x", "lessThan", "9", false],
  // Numbers are doubles.
  [{ x: 2 ** 60 }, "x", "equals", 2 ** 60, true],
  [{ x: 2 ** 60 }, "x", "greaterThan", 2 ** 60, false],
  [{ x: 2 ** 60 }, "x", "lessThanOrEqual", 2 ** 60, true],
  [{ x: 2 ** 53 + 2 }, "x", "greaterThan", 2 ** 53, true],
  [{ x: 2 ** 63 }, "x", "greaterThanOrEqual", 2 ** 63, true],
  [{ x: 1e21 }, "x", "equals", 1e21, true],
  [{ x: 1.7976931348623157e308 }, "x", "lessThanOrEqual", 1.7976931348623157e308, true],
  [{ x: 5e-324 }, "x", "greaterThan", 0, true],
  [{ x: 0.1 + 0.2 }, "x", "equals", 0.3, false],
  [{ x: 0.1 + 0.2 }, "x", "greaterThan", 0.3, true],
  [{ x: -0 }, "x", "equals", 0, true],
  [{ x: 0 }, "x", "equals", -0, true],
  [{ x: -0 }, "x", "lessThan", 0, false],
  // Keys are own keys of objects, with any characters.
  [{ x: {} }, "x.constructor", "exists", undefined, false],
  [{ x: {} }, "x.__proto__.constructor", "exists", undefined, false],
  [JSON.parse('{"x":{"__proto__":{"y":1}}}'), "x.__proto__.y", "equals", 1, true],
  [{ toString: 1 }, "toString", "equals", 1, true],
  [{ 'a"b': 1 }, 'a"b', "equals", 1, true],
  [{ "a\\b": 1 }, "a\\b", "equals", 1, true],
  [{ "a\u0000b": 1 }, "a\u0000b", "equals", 1, true],
  [{ "\ud83d": 1 }, "\ud83d", "equals", 1, true],
  [{ $: { "[0]": 1 } }, "$.[0]", "equals", 1, true],
  [{ é: { " ": 1 } }, "é. ", "equals", 1, true],
  [{ Plan: 1 }, "plan", "exists", undefined, false],
  [{ "a.b": 1 }, "a.b", "exists", undefined, false],
  [{ x: [{ y: 1 }] }, "x.0.y", "exists", undefined, false],
  [{ x: [{ y: 1 }] }, "x.length", "exists", undefined, false],
  [{ x: "abc" }, "x.length", "exists", undefined, false],
  [{ x: { y: null } }, "x.y", "notExists", undefined, true],
  [{ x: { y: null } }, "x.y", "notEquals", 1, false],
  [{ x: { y: null } }, "x.y", "notContains", "x", false],
  [{ x: {} }, "x", "exists", undefined, true],
  [{ x: "null" }, "x", "exists", undefined, true],
  [{ x: "null" }, "x", "notEquals", 1, true],
])("both evaluations agree that of %j, %j %s %j is %p", async (data, field, operator, value, wanted) => {
  expect(await say(data, field, operator, value)).toBe(wanted)
})

test("data rewritten by the database still matches", async () => {
  const data = { gone: 1, x: 'a\u0000\n"\\é😀\ud83d', n: 1e21, small: 5e-324, big: 2 ** 60, flag: false }
  await both.fill([person("one@acme.test", true, "2025-06-01T00:00:00.000Z", { data })])
  await store.write("instance", async ({ db }) => {
    await db.run(sql`UPDATE contact SET data = json_remove(data, '$."gone"')`)
  })
  const filters = Object.entries(data).map(([key, value]) => ({ field: `data.${key}`, operator: "equals", value }))
  expect(await both.bySql(treeOf({ logic: "AND", groups: [{ filters: filters.slice(1) }] }), now)).toHaveLength(1)
  expect(await both.bySql(treeOf({ logic: "OR", groups: [{ filters: filters.slice(0, 1) }] }), now)).toEqual([])
})

const real = [
  "2025-06-15T11:59:59Z",
  "2024-02-29T00:00:00Z",
  "2000-02-29T23:59:59.999Z",
  "1970-01-01T00:00:00.000Z",
  "1951-08-29T12:00:00.000Z",
]

const unreal = [
  "2025-06-08",
  "2023-02-29T00:00:00Z",
  "1900-02-29T00:00:00Z",
  "2025-04-31T00:00:00Z",
  "2025-02-30T00:00:00.000Z",
  "2025-06-00T00:00:00Z",
  "2025-06-32T00:00:00Z",
  "2025-00-10T00:00:00Z",
  "2025-13-01T00:00:00Z",
  "2025-06-01T24:00:00Z",
  "2025-06-01T23:60:00Z",
  "2025-06-01T23:59:60Z",
  "2025-06-01T00:00:00",
  "2025-06-01T00:00:00z",
  "2025-06-01 00:00:00Z",
  "2025-06-01T00:00Z",
  "2025-06-01T00:00:00+00:00",
  "2025-06-01T00:00:00.1Z",
  "2025-06-01T00:00:00.1  Z",
  "2025-06-01T00:00:00.1234Z",
  "2025-06-01T00:00:00,123Z",
  " 2025-06-01T00:00:00Z",
  "2025-06-01T00:00:00Z\n",
  "2025-06-01T00:00:00Z\u0000",
  "2025-06-01T00:00:00.000ZZ",
  "-025-06-01T00:00:00Z",
  "+002025-06-01T00:00:00Z",
  "２025-06-01T00:00:00Z",
  "now",
  1_749_945_600,
  2_460_000.5,
  true,
  ["2025-06-01T00:00:00Z"],
]

test.each(real)("both readers take %j for a time", async (x) => {
  expect(await say({ x }, "x", "olderThan", 0, "minutes")).toBe(true)
  expect(await say({ x }, "x", "within", 100_000, "days")).toBe(Date.parse(x) >= now - 100_000 * 86_400_000)
  expect(await say({ x }, "x", "within", 27_000, "days")).toBe(true)
})

test.each(unreal.map((x) => [x]))("both evaluations do not read %j as a time", async (x) => {
  expect(await say({ x }, "x", "olderThan", 0, "minutes")).toBe(false)
  expect(await say({ x }, "x", "within", 100_000, "days")).toBe(false)
})

test.each(["0000-01-01T00:00:00Z", "0000-02-29T00:00:00.000Z", "0099-12-31T23:59:59.999Z"])(
  "both readers take %j for a time long ago",
  async (x) => {
    expect(await say({ x }, "x", "olderThan", 100_000, "days")).toBe(true)
    expect(await say({ x }, "x", "within", 100_000, "days", Date.parse(x))).toBe(true)
  },
)

test("both evaluations read the last possible time as one in the future", async () => {
  const x = "9999-12-31T23:59:59.999Z"
  expect(await say({ x }, "x", "within", 0, "days")).toBe(true)
  expect(await say({ x }, "x", "olderThan", 0, "days")).toBe(false)
  expect(await say({ x }, "x", "olderThan", 0, "days", Date.parse(x) + 1)).toBe(true)
})

test.each([
  ["2025-06-15T12:00:00Z", 0, true],
  ["2025-06-15T12:00:00Z", 1, false],
  ["2025-06-15T12:00:00Z", 500, false],
  ["2025-06-15T12:00:00.000Z", 0, true],
  ["2025-06-15T12:00:00.000Z", 1, false],
  ["2025-06-15T12:00:00.500Z", 0, true],
  ["2025-06-15T12:00:00.500Z", 500, true],
  ["2025-06-15T12:00:00.499Z", 500, false],
  ["2025-06-15T12:00:01Z", 999, true],
  ["2025-06-15T12:00:01Z", 1_000, true],
  ["2025-06-15T11:59:59.999Z", 0, false],
])("both evaluations agree on %s within 0 days at 12:00 and %d ms: %p", async (x, ms, wanted) => {
  expect(await say({ x }, "x", "within", 0, "minutes", now + ms)).toBe(wanted)
  expect(await say({ x }, "x", "olderThan", 0, "minutes", now + ms)).toBe(!wanted)
})
