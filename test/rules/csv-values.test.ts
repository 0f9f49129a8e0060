import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { readCell } from "../../src/modules/imports/cell.ts"

describe("a cell", () => {
  test.each([
    ["true", true],
    ["TRUE", true],
    ["Yes", true],
    ["yEs", true],
    ["false", false],
    ["No", false],
    ["FALSE", false],
    ["0", 0],
    ["41", 41],
    ["-41", -41],
    ["41.50", 41.5],
    ["-0.5", -0.5],
    ["0.0", 0],
    ["9007199254740991", 9_007_199_254_740_991],
    ["-9007199254740991", -9_007_199_254_740_991],
    ["2.50000000000000000001", 2.5],
    ["-0", 0],
  ])("%j means %j", (text, value) => {
    expect(readCell(text)).toBe(value)
  })

  test.each([
    ["00123", "a leading zero"],
    ["-007", "a leading zero behind the sign"],
    ["01.5", "a leading zero before a point"],
    ["+47", "a plus sign"],
    ["1e3", "scientific notation"],
    ["1E-3", "scientific notation"],
    ["9007199254740992", "an integer beyond 2^53-1"],
    ["-9007199254740992", "an integer beyond -(2^53-1)"],
    ["12345678901234567890", "an integer of many digits"],
    ["9007199254740993.0", "such an integer with a point"],
    [`${"9".repeat(400)}.5`, "more than a double holds"],
    ["1.", "no digit behind the point"],
    [".5", "no digit before the point"],
    ["1,5", "a comma"],
    ["1 000", "a space"],
    ["1_000", "an underscore"],
    ["0x1f", "another base"],
    ["--1", "two signs"],
    ["-", "a sign alone"],
    ["NaN", "no digits"],
    ["Infinity", "no digits"],
    ["null", "a word"],
    ["y", "a word that is no boolean"],
    ["truest", "a word that begins like a boolean"],
    ["١٢", "digits of another script"],
    ["2026-01-31", "a date, which is text"],
    ["2026-01-31T10:00:00Z", "a time, which is text"],
  ])("%j stays text: %s", (text) => {
    expect(readCell(text)).toBe(text)
  })

  test("that became a number loses no digit of an integer", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), (integer) => {
        const text = String(integer)
        expect(String(readCell(text))).toBe(text)
      }),
    )
  })

  test("is text, a boolean, or a number that JSON can write", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        const value = readCell(text)
        expect(JSON.parse(JSON.stringify(value))).toBe(value)
      }),
    )
  })
})
