import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { editDistance, nearest } from "../../src/kernel/suggest.ts"

describe("the edit distance", () => {
  test.each([
    ["", "", 0],
    ["", "abc", 3],
    ["port", "prot", 1],
    ["kitten", "sitting", 3],
    ["host", "hosts", 1],
    ["ab", "ba", 1],
    ["abc", "xyz", 3],
  ])("from %j to %j is %d", (from, to, distance) => {
    expect(editDistance(from, to)).toBe(distance)
  })

  test("is the same both ways, at most the longer text, and 0 for equal texts only", () => {
    const text = fc.string({ maxLength: 12, unit: fc.constantFrom("a", "b", "c") })
    fc.assert(
      fc.property(text, text, (one, other) => {
        const distance = editDistance(one, other)
        expect(distance).toBe(editDistance(other, one))
        expect(distance).toBeLessThanOrEqual(Math.max(one.length, other.length))
        expect(distance === 0).toBe(one === other)
      }),
    )
  })
})

test("the nearest candidate is suggested if a typo explains it, ignoring case", () => {
  const names = ["serve", "sandbox", "version"]
  expect(nearest("sevre", names)).toBe("serve")
  expect(nearest("SERVE", names)).toBe("serve")
  expect(nearest("restore", names)).toBeUndefined()
  expect(nearest("", names)).toBeUndefined()
})
