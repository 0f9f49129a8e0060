import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { caseFold, changed, copyOf, searchTextOf, type TemplateChange } from "../../src/modules/templates/rules.ts"
import type { Template } from "../../src/modules/templates/table.ts"

const known: Template = {
  id: "0199c0de-0000-7000-9000-000000000001",
  projectId: "0199c0de-0000-7000-9000-000000000002",
  name: "Welcome",
  description: null,
  subject: "Hi",
  body: "<p>Hi</p>",
  text: "Hi",
  from: "hi@acme.test",
  fromName: "Shop",
  replyTo: null,
  type: "MARKETING",
  createdAt: 1,
  updatedAt: 1,
}

describe("A change of a template", () => {
  const word = fc.constantFrom("", "a", "b", "Welcome", "Hi")
  const sent = fc.record(
    {
      name: fc.option(word, { nil: undefined }),
      subject: fc.option(word, { nil: undefined }),
      description: fc.constantFrom(undefined, null, "", "a"),
      fromName: fc.constantFrom(undefined, null, "Shop", "Club"),
      type: fc.constantFrom(undefined, "MARKETING" as const, "HEADLESS" as const),
    },
    { requiredKeys: [] },
  )

  test("sets the given fields, keeps the rest, and moves updatedAt only if something differs", () => {
    fc.assert(
      fc.property(sent, (change: TemplateChange) => {
        const said = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
        const next = changed(known, change, 2)
        const isSame = Bun.deepEquals({ ...known, ...said }, known)
        expect(next).toEqual({ ...known, ...said, updatedAt: isSame ? 1 : 2 })
        expect(next === known).toBe(isSame)
        expect(changed(next, change, 3)).toBe(next)
      }),
    )
  })
})

describe("A copy of a template", () => {
  test("is the same but for its name", () => {
    expect(copyOf(known)).toMatchObject({ ...known, name: "Welcome (Copy)" })
  })
})

describe("Text without its case", () => {
  test.each([
    ["Straße", "STRASSE"],
    ["ΟΔΟΣ", "οδος"],
    ["οδοσ", "οδος"],
    ["\u212Aelvin", "kelvin"],
    ["ÅRSMØTE", "a\u030arsmøte"],
    ["Ǆ", "ǅ"],
    ["ЖУРНАЛ", "журнал"],
    ["ﬃ", "FFI"],
  ])("is the same for %s and %s", (one, other) => {
    expect(caseFold(one)).toBe(caseFold(other))
  })

  test.each([
    ["a", "å"],
    ["e", "е"],
    ["o", "0"],
    ["ab", "a b"],
  ])("is not the same for %s and %s", (one, other) => {
    expect(caseFold(one)).not.toBe(caseFold(other))
  })

  test("of a part of a word is contained in that of the word, so that a search finds it in any case", () => {
    const letters = fc.string({ unit: fc.constantFrom(..."aBcÄöŠžΣσςδЖя 0%_\\"), maxLength: 12 })
    fc.assert(
      fc.property(letters, letters, letters, (before, term, after) => {
        const text = searchTextOf({ ...known, subject: before + term + after })
        for (const spelled of [term, term.toLowerCase(), term.toUpperCase()]) expect(text).toContain(caseFold(spelled))
      }),
    )
  })
})
