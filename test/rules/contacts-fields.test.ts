import { heapStats } from "bun:jsc"
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { parseField, shownName } from "../../src/modules/contacts/fields/name.ts"
import { compareValues, createLeast } from "../../src/modules/contacts/fields/values.ts"
import { needleOf } from "../../src/modules/contacts/search/needle.ts"

describe("The name of a field (contract A5)", () => {
  test.each([
    ["email", { core: "email" }],
    ["subscribed", { core: "subscribed" }],
    ["createdAt", { core: "createdAt" }],
    ["updatedAt", { core: "updatedAt" }],
    ["plan", { custom: "plan" }],
    ["data.plan", { custom: "plan" }],
    ["data.email", { custom: "email" }],
    ["data.data.plan", { custom: "data.plan" }],
    ["data", { custom: "data" }],
    ["data.", { custom: "" }],
    ["Email", { custom: "Email" }],
    ["profile.tier", { custom: "profile.tier" }],
    ["toString", { custom: "toString" }],
  ])("%j is %j", (given, name) => {
    expect(parseField(given)).toEqual(name as ReturnType<typeof parseField>)
  })

  test("is shown in a form that is accepted as input", () => {
    for (const given of ["email", "plan", "data.plan", "data.email", "a.b", "data.data.x"]) {
      const shown = shownName(parseField(given))
      expect([given, shown.startsWith("data.") || shown === "email"]).toEqual([given, true])
      expect(parseField(shown)).toEqual(parseField(given))
    }
  })
})

describe("The least values (contract A5.8)", () => {
  const primitive = fc.oneof(
    fc.integer({ min: -20, max: 20 }),
    fc.double({ noNaN: true }),
    fc.string({ unit: "binary", maxLength: 2 }),
    fc.boolean(),
  )

  test("are the first of all values sorted", () => {
    fc.assert(
      fc.property(fc.array(fc.array(primitive)), fc.integer({ min: 1, max: 10 }), (slices, limit) => {
        const kept = createLeast(limit)
        for (const slice of slices) kept.add(slice)
        expect(kept.least()).toEqual([...new Set(slices.flat())].sort(compareValues).slice(0, limit))
      }),
    )
  })

  test("bound the memory for very many values", () => {
    const texts = () => {
      Bun.gc(true)
      return heapStats().objectTypeCounts.string ?? 0
    }
    const kept = createLeast(10)
    const before = texts()
    for (let slice = 0; slice < 100; slice++) kept.add(Array.from({ length: 500 }, (_, at) => `text ${slice} ${at}`))
    expect(texts() - before).toBeLessThan(5_000)
    expect(kept.least()).toHaveLength(10)
  })

  test("are numbers by value, then texts by code point, then booleans", () => {
    expect([true, "b", 10, false, "a", 9, "\u{1f48c}", "\uffee", "B"].sort(compareValues)).toEqual([
      9,
      10,
      "B",
      "a",
      "b",
      "\uffee",
      "\u{1f48c}",
      false,
      true,
    ])
  })
})

describe("A search text for addresses", () => {
  test.each([
    ["Ada@Example.COM", "ada@example.com"],
    ['%_*"', undefined],
    ["a_b%c*d'e", "a_b%c*d'e"],
    ["a b", undefined],
    ["é", "xn--9ca"],
    ["\u212a", undefined],
    ["a\u0000", undefined],
    ["a".repeat(254), "a".repeat(254)],
    ["a".repeat(255), undefined],
  ])("%j becomes %j", (search, needle) => {
    expect(needleOf(search)).toBe(needle as string)
  })
})
