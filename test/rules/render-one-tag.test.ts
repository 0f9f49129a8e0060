import { heapStats } from "bun:jsc"
import { describe, expect, test } from "bun:test"
import { compileTemplate, defaultLimits, pickLocale, RenderFault } from "../../src/mail/render/index.ts"
import { workedMs } from "../harness/processor-time.ts"

const limitMs = 200
/** What a slow, busy machine may take beyond the limit: a step of the work, and the collection of garbage. */
const longestMs = 1_500

/** What a rendering prints, or which limit it exceeds; either has to be known soon. */
function outcome(source: string, variables: Record<string, unknown>, ms = limitMs): string {
  const template = compileTemplate(source, "html")
  const start = workedMs()
  try {
    return template.render(variables, { locale: "en", limits: { ms } })
  } catch (cause) {
    if (cause instanceof RenderFault) return cause.exceeded
    throw cause
  } finally {
    expect(workedMs() - start).toBeLessThan(longestMs)
  }
}

// As long as a request can make them.
const longest = 45_000_000
const ampersands = "&".repeat(longest)
const accents = "é".repeat(longest)
const names = "dddd".repeat(longest / 4)
const spaces = " ".repeat(longest)
const many = Array.from({ length: 100_000 }, (_, index) => index)

describe("One tag and a text of 45 MB (contract A9.16)", () => {
  test.each([
    ["printed", "{{x}}"],
    ["printed raw", "{{{x}}}"],
    ["printed where there is a fallback", "{{x ?? 'y'}}"],
    ["in an array", "{{l}}"],
    ["in an array that nothing prints", "{{#if (join l)}}{{/if}}"],
    ["as a separator", "{{#if (join pair x)}}{{/if}}"],
    ["in default", "{{#if (default x 'y')}}{{/if}}"],
    ["as the default", "{{#if (default u x)}}{{/if}}"],
    ["in upper", "{{#if (upper x)}}{{/if}}"],
    ["in lower", "{{#if (lower x)}}{{/if}}"],
    ["in capitalize", "{{#if (capitalize x)}}{{/if}}"],
    ["in truncate", "{{#if (truncate x 44000000)}}{{/if}}"],
    ["in truncate to little", "{{#if (truncate x 3)}}{{/if}}"],
    ["in truncate without a count", "{{#if (truncate x)}}{{/if}}"],
    ["in join", "{{#if (join x)}}{{/if}}"],
    ["in urlencode", "{{#if (urlencode x)}}{{/if}}"],
    ["as the pattern of a date", "{{#if (formatDate 0 x)}}{{/if}}"],
    ["as the pattern of a date, of names", "{{#if (formatDate 0 names)}}{{/if}}"],
  ])("are refused for their size: %s", (_, source) => {
    for (const x of [ampersands, accents]) expect(outcome(source, { x, names, l: [x], pair: ["a", "b"] })).toBe("size")
  })

  test.each([
    ["eq", "{{eq x y}} {{eq x x}}", "false true"],
    ["ne", "{{ne x y}}", "true"],
    ["gt", "{{gt x y}}", "true"],
    ["gte", "{{gte x x}}", "true"],
    ["lt", "{{lt x y}}", "false"],
    ["lte", "{{lte x y}}", "false"],
    ["and", "{{and x y}}", "true"],
    ["or", "{{or x y}}", "true"],
    ["not", "{{not x}}", "false"],
    ["formatDate as instant", "{{formatDate x}}", ""],
    ["formatDate as an instant in spaces", "{{#each a}}{{formatDate @root.spaces}}{{/each}}", ""],
    ["formatDate as zone", "{{#each a}}{{formatDate 0 'YYYY' tz=@root.x}}{{/each}}", ""],
    ["formatNumber", "{{formatNumber x}}{{formatNumber 1 x}}", ""],
    ["if", "{{#if x}}a{{/if}}{{#unless x}}b{{/unless}}", "a"],
    ["each", "{{#each x}}a{{else}}b{{/each}}", "b"],
    ["with", "{{#with x}}a{{/with}}", "a"],
  ])("take no time where the text is only inspected, or invalid: %s", (_, source, expected) => {
    const variables = { x: accents, y: `${accents.slice(1)}e`, spaces, a: many.slice(0, 1_000) }
    // The limit counts time on the wall, of which a busy machine takes any amount: what bounds this is the work.
    expect(outcome(source, variables, 60_000)).toBe(expected)
  })
})

/** A loop that reads the path inside many blocks. */
function through(blocks: number, path: string): string {
  const reads = `{{#if ${path}}}{{/if}}`.repeat(500)
  return `{{#each a}}${"{{#with @root}}".repeat(blocks)}${reads}${"{{/with}}".repeat(blocks)}{{/each}}`
}

/** The name of a zone with capitals where the number has ones: the same zone by another text. */
const spelling = (number: number): string =>
  Array.from("america/argentina/ushuaia", (letter, at) => ((number >> at) & 1 ? letter.toUpperCase() : letter)).join("")

/** Texts that are long, and names of zones that no other test uses. */
const slow = {
  a: many.map((number) => ({ zone: spelling(number) })),
  x: `${"ä".repeat(5_000_000)}x`,
  twin: `${"ä".repeat(5_000_000)}x`,
  days: "dddd".repeat(2_000_000),
}
/** Enough for loops that never end: how long after it they stop is up to the longest of their steps. */
const soonMs = 50

describe("Tags that are slow each stop in time (contract A9.16):", () => {
  test.each([
    ["upper", "{{#if (upper @root.x)}}{{/if}}"],
    ["lower", "{{#if (lower @root.x)}}{{/if}}"],
    ["capitalize", "{{#if (eq (capitalize @root.x) (truncate @root.x 5000000))}}{{/if}}"],
    ["truncate", "{{#if (truncate @root.x 5000000)}}{{/if}}"],
    ["comparisons of equal texts", "{{#if (eq @root.x @root.twin)}}{{/if}}"],
    ["comparisons by order", "{{#if (lt @root.x @root.twin)}}{{/if}}"],
    ["dates of nothing but names", "{{#if (formatDate 0 @root.days)}}{{/if}}"],
    ["zones that were never met before", "{{#if (formatDate 0 'YYYY' zone)}}{{/if}}"],
    ["many fallbacks", "{{u??''}}".repeat(25_000)],
    ["many texts between comments", "x{{!}}".repeat(25_000)],
    ["helpers of many arguments", `{{#if (and ${"1 ".repeat(4_000)})}}{{/if}}`.repeat(30)],
    ["long paths", `{{#if @root.x${".[0]".repeat(2_400)}}}{{/if}}`.repeat(25)],
  ])("%s", (_, tag) => {
    expect(outcome(`{{#each a}}${tag}{{/each}}`, slow, soonMs)).toMatch(/^(?:time|size)$/)
  })

  test("paths through many blocks", () => {
    expect(outcome(through(150, `${"../".repeat(150)}u.v`), { a: many }, soonMs)).toBe("time")
  })
})

describe("A text that is worked on in pieces", () => {
  const mixed = "a&😀é<ß€".repeat(20_000)

  test.each([
    ["{{x}}", mixed.replaceAll("&", "&amp;").replaceAll("<", "&lt;")],
    ["{{{x}}}", mixed],
    ["{{upper x}}", mixed.toUpperCase().replaceAll("&", "&amp;").replaceAll("<", "&lt;")],
    ["{{urlencode x}}", encodeURIComponent(mixed)],
  ])("is as one that is not: %s", (source, expected) => {
    // Each shift puts another place of the text at the end of a piece.
    for (let length = 0; length < 8; length++) {
      const shift = "b".repeat(length)
      const head = source.includes("upper") ? shift.toUpperCase() : shift
      expect(outcome(source, { x: shift + mixed }, 10_000) === head + expected).toBe(true)
    }
  })

  test("may be exactly as long as the limit", () => {
    const x = "a".repeat(defaultLimits.bytes)
    expect(outcome("{{x}}", { x }, 10_000)).toHaveLength(defaultLimits.bytes)
    expect(outcome("{{x}}", { x: `${x}a` })).toBe("size")
    expect(outcome("{{urlencode x}}", { x }, 10_000)).toHaveLength(defaultLimits.bytes)
  })
})

test("A language longer than any tag is refused without much work", () => {
  const start = workedMs()
  for (const wish of [`de-${"_".repeat(longest)}`, `de${spaces}`]) expect(pickLocale(wish, "fr")).toBe("fr")
  expect(pickLocale("  PT_br  ", "fr")).toBe("pt")
  expect(workedMs() - start).toBeLessThan(longestMs)
})

test("Names of zones are kept only when they can be names", () => {
  const template = compileTemplate("{{formatDate 0 'YYYY' zone}}", "html")
  const render = (zone: string) => template.render({ zone }, { locale: "en" })
  const held = (): number => {
    Bun.gc(true)
    return heapStats().heapSize
  }
  expect([render("America/Argentina/ComodRivadavia"), render("x".repeat(65))]).toEqual(["1969", ""])
  const before = held()
  for (let number = 0; number < 64; number++) expect(render(number + "x".repeat(2_000_000))).toBe("")
  expect(held() - before).toBeLessThan(64_000_000)
})
