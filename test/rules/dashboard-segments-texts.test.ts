import "../../src/dashboard/parts/code/json-parser.ts"
import { describe, expect, test } from "bun:test"
import { chunks, readPasted } from "../../src/dashboard/pages/segments/members/addresses.ts"
import { slugOf } from "../../src/dashboard/pages/segments/slug.ts"
import { readPositions } from "../../src/dashboard/parts/code/json-positions.ts"
import { utcOf } from "../../src/dashboard/parts/condition/model/values.ts"

describe("JSON", () => {
  const text = '{\n  "logic": "AND",\n  "groups": [{ "filters": [ { "field": "a\\"b", "value": -1.5e3 }, null ] }]\n}'

  test("is parsed like in the browser, with the position of every value", () => {
    const reading = readPositions(text)
    if ("fault" in reading) throw new Error(reading.fault.message)
    expect(reading.value).toEqual(JSON.parse(text))
    const at = (path: string) => {
      const { from, to } = reading.positionOf(path)
      return text.slice(from, to)
    }
    expect(at("logic")).toBe('"AND"')
    expect(at("groups.0.filters.0.field")).toBe('"a\\"b"')
    expect(at("groups.0.filters.0.operator")).toBe('{ "field": "a\\"b", "value": -1.5e3 }')
    expect(at("groups.7")).toBe(at("groups"))
    expect(at("")).toBe(text)
  })

  test.each([
    ["", 0],
    ["{", 1],
    ['{"a" 1}', 5],
    ['{"a":1,}', 7],
    ["[1,]", 3],
    ["[1 2]", 3],
    ['{"a":pro}', 5],
    ["{a:1}", 1],
    ['["x]', 1],
    ["{} x", 3],
  ])("%j is wrong at %d", (wrong, from) => {
    expect(() => JSON.parse(wrong)).toThrow()
    const reading = readPositions(wrong)
    expect("fault" in reading && reading.fault.from).toBe(from)
  })
})

describe("pasted addresses", () => {
  test("are found in lines, lists, columns and with names", () => {
    const text =
      'ada@example.com\nBo Fox <bo@example.com>; "cy@example.com", mailto:dy@example.com\tEva eve@sub.example.com\n\nADA@example.com'
    expect(readPasted(text)).toEqual({
      addresses: ["ada@example.com", "bo@example.com", "cy@example.com", "dy@example.com", "eve@sub.example.com"],
      invalid: [],
      repeated: 1,
    })
  })

  test("that are invalid are listed", () => {
    expect(readPasted("email, ada@, ada@localhost, Ada Lovelace <ada>, x@y.z").invalid).toEqual([
      "email",
      "ada@",
      "ada@localhost",
      "Ada Lovelace <ada>",
    ])
  })

  test("are split into chunks", () => {
    expect(chunks([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
  })
})

test.each([
  ["Trial Users", "trial-users"],
  ["  Big_Spenders (EU) ", "big_spenders-eu"],
  ["A -- B", "a-b"],
  ["-new-", "new"],
  ["VIP – Köln 2024", "vip-kln-2024"],
  ["日本", null],
])("the events of %s are named %s", (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})

test.each([
  ["2026-01-31", "2026-01-31T00:00:00.000Z"],
  ["2025-05-16T01:30:00+02:00", "2025-05-15T23:30:00.000Z"],
  ["2025-05-16T01:30", "2025-05-16T01:30:00.000Z"],
  ["2025-02-30", null],
  ["yesterday", null],
])("%s is the time %s", (text, wanted) => {
  expect(utcOf(text)).toBe(wanted)
})
