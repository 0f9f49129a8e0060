import { describe, expect, test } from "bun:test"
import { compileTemplate, defaultLimits, RenderFault, TemplateFault } from "../../src/mail/render/index.ts"
import { workedMs } from "../harness/processor-time.ts"

const many = Array.from({ length: 100_000 }, (_, index) => index)
const long = "x".repeat(1_000_000)

/** Generous: the tested work ends in a fraction of it, or would run for hours. */
const longestMs = 10_000
const limitMs = 50
/** What a slow, busy machine may take more than the limit: the longest step and a look at the clock. */
const longestLimitMs = 1_500

/** The limit counts time on the wall, of which a busy machine takes any amount: `timed` bounds the work instead. */
const unhurried = { ms: 100_000 }

function timed<T>(work: () => T, longest = longestMs): T {
  const start = workedMs()
  const result = work()
  expect(workedMs() - start).toBeLessThan(longest)
  return result
}

function exceeded(source: string, variables: Record<string, unknown>, limits: { ms?: number; bytes?: number } = {}) {
  const template = compileTemplate(source, "html")
  const given = { ms: limitMs, ...limits }
  return timed(
    () => {
      try {
        template.render(variables, { locale: "en", limits: given })
      } catch (cause) {
        if (cause instanceof RenderFault) return cause.exceeded
        throw cause
      }
      return undefined
    },
    given.ms === limitMs ? longestLimitMs : longestMs,
  )
}

describe("Rendering stops (contract A9.16)", () => {
  test.each([
    ["loops that write nothing", "{{#each a}}{{#each ../a}}{{/each}}{{/each}}"],
    ["loops over the keys of an object", "{{#each a}}{{#each @root.o}}{{#each @root.a}}{{/each}}{{/each}}{{/each}}"],
    ["loops that only decide", "{{#each a}}{{#each ../a}}{{#if (gt this 5)}}{{/if}}{{/each}}{{/each}}"],
    ["helpers on long texts", "{{#each a}}{{#if (eq (upper @root.s) 'x')}}{{/if}}{{/each}}"],
    ["comparisons of long texts", "{{#each a}}{{#if (gt @root.s @root.t)}}{{/if}}{{/each}}"],
    ["joining long arrays", "{{#each a}}{{#if (not (join @root.a))}}{{/if}}{{/each}}"],
    ["looking through arrays that print nothing", "{{#each a}}{{@root.mixed}}{{/each}}"],
    ["long date patterns", "{{#each a}}{{#if (not (formatDate 0 @root.s))}}{{/if}}{{/each}}"],
    ["truncating", "{{#each a}}{{#if (not (truncate @root.s 900000))}}{{/if}}{{/each}}"],
    ["fallbacks and raw tags of nothing", "{{#each a}}{{#each ../a}}{{{u}}}{{u ?? ''}}{{/each}}{{/each}}"],
  ])("%s after the time limit", (_, source) => {
    const variables = { a: many, o: { a: 1, b: 2 }, s: long, t: `${long}x`, mixed: [...many, {}] }
    expect(exceeded(source, variables, { bytes: 2 ** 30 })).toBe("time")
  })

  test.each([
    ["loops", "{{#each a}}{{#each ../a}}xxxxxxxxxxxxxxxxxxxx{{/each}}{{/each}}"],
    ["long variables", "{{#each a}}{{@root.s}}{{/each}}"],
    ["escaping", "{{b}}{{b}}{{b}}"],
    ["arrays joined by long texts", "{{join a s}}"],
    ["arrays printed", "{{l}}{{l}}{{l}}{{l}}{{l}}{{l}}{{l}}{{l}}{{l}}{{l}}{{l}}{{l}}"],
    ["texts that nothing prints", "{{#if (join l s)}}{{/if}}"],
    ["encoding again and again", `{{#if ${"(urlencode ".repeat(20)}b${")".repeat(20)}}}{{/if}}`],
  ])("%s at the size limit", (_, source) => {
    const variables = { a: many, s: long, b: "<".repeat(1_000_000), l: Array.from({ length: 20 }, () => long) }
    expect(exceeded(source, variables, { ms: 5_000 })).toBe("size")
  })

  test("by default at 1 second and at 10 MB", () => {
    expect(defaultLimits).toMatchObject({ ms: 1_000, bytes: 10 * 1_048_576 })
    const start = performance.now()
    const template = compileTemplate("{{#each a}}{{#each ../a}}{{/each}}{{/each}}", "subject")
    expect(() => template.render({ a: many }, { locale: "en" })).toThrow(RenderFault)
    expect(performance.now() - start).toBeGreaterThan(999)
  })

  test.each([
    ["x", 1_000],
    ["é", 500],
    ["€", 333],
    ["😀", 250],
  ])("counting the bytes of %j in UTF-8", (character, most) => {
    const render = (count: number) => () =>
      compileTemplate("{{#each a}}{{@root.c}}{{/each}}", "html").render(
        { a: many.slice(0, count), c: character },
        { locale: "en", limits: { bytes: 1_000 } },
      )
    expect(render(most)()).toHaveLength(most * character.length)
    expect(render(most + 1)).toThrow(RenderFault)
  })

  test("at the same byte when the text is long", () => {
    const template = compileTemplate("{{#each a}}{{this}}é{{/each}}", "html")
    const text = many.map((index) => `${index}é`).join("")
    const render = (bytes: number) => template.render({ a: many }, { locale: "en", limits: { bytes } })
    expect(render(Buffer.byteLength(text))).toBe(text)
    expect(() => render(Buffer.byteLength(text) - 1)).toThrow(RenderFault)
  })

  test("not for a long text within the limits", () => {
    const text = "<".repeat(2_000_000)
    expect(compileTemplate("{{v}}", "html").render({ v: text }, { locale: "en", limits: unhurried })).toBe(
      "&lt;".repeat(2_000_000),
    )
  })
})

describe("Compiling is fast", () => {
  const faultOf = (source: string) => {
    try {
      compileTemplate(source, "html")
    } catch (cause) {
      if (cause instanceof TemplateFault) return "fault"
      throw cause
    }
    return "template"
  }

  test.each([
    ["{{", 100_000],
    ["{{ ", 100_000],
    ["{{{ ", 100_000],
    ["{{{{", 100_000],
    ["{{#if", 100_000],
    ["{{#if a}}", 10_000],
    ["{{#if a}}x", 100_000],
    ["{{#each this}}{{else}}", 50_000],
    ["{{/if}}", 100_000],
    ["{{else}}", 100_000],
    ["{{a}}", 400_000],
    ["{{a ?? b}}", 200_000],
    ["{{a ?? ", 200_000],
    ["{{a ??", 200_000],
    ["{{!-- --}}", 200_000],
    ["{{!-- ", 300_000],
    ["{{! ", 300_000],
    ["\\{{", 500_000],
    ["\\\\{{", 500_000],
    ['{{"', 500_000],
    ["{{[", 500_000],
    ["{{a '}}", 200_000],
    ["{{(", 500_000],
    ["{{a.", 500_000],
    ["{{a b=", 300_000],
  ])("of %j, %d times, with a fault", (piece, times) => {
    expect(timed(() => faultOf(piece.repeat(times)))).toBe("fault")
  })

  test.each([
    ["nested sub-expressions", `{{eq ${"(eq a ".repeat(10_000)}${")".repeat(10_000)}}}`],
    ["a chain of else if", `{{#if a}}${"{{else if b}}".repeat(10_000)}{{/if}}`],
    ["one tag of a million arguments", `{{join ${"a ".repeat(900_000)}}}`],
    ["one path of a million parts", `{{a${".a".repeat(900_000)}}}`],
    ["one argument of a million characters", `{{upper "${"a".repeat(1_000_000)}"}}`],
    ["many long tags", `{{join ${"a ".repeat(4_000)}}}`.repeat(100)],
    ["many tags in deep blocks and a fault at the end", `${"{{#if a}}".repeat(199)}${"{{a}}".repeat(40_000)}{{> b}}`],
  ])("of %s with a fault", (_, source) => {
    expect(timed(() => faultOf(source))).toBe("fault")
  })

  test.each([
    ["text", "x".repeat(2_000_000)],
    ["line breaks", "\r\n".repeat(1_000_000)],
    ["closing braces", "}}".repeat(1_000_000)],
    ["backslashes", "\\".repeat(2_000_000)],
    ["one comment", `{{!-- ${"x}} ".repeat(490_000)}--}}`],
    ["one fallback", `{{a ?? ${"x ".repeat(900_000)}}}`],
    ["many tags", "{{a}} text around it that is 40 long \n".repeat(49_000)],
    ["many fallbacks", "{{a ?? some fallback}}\n".repeat(49_000)],
    ["many comments", "{{!-- a comment --}}\n".repeat(49_000)],
    ["many tags in nested blocks", `${"{{#if a}}".repeat(150)}${"{{a}}".repeat(30_000)}${"{{/if}}".repeat(150)}`],
    ["nested sub-expressions", `{{#if ${"(not ".repeat(50)}a${")".repeat(50)}}}{{/if}}`],
    ["a chain of else if", `{{#if a}}${"{{else if b}}x".repeat(150)}{{/if}}`],
  ])("of %s with a template that renders", (_, source) => {
    const template = timed(() => compileTemplate(source, "html"))
    expect(typeof timed(() => template.render({ a: 0, b: 0 }, { locale: "en", limits: unhurried }))).toBe("string")
  })
})

test.each([
  ["{{", "}}"],
  ["{{{", "}}}"],
  ["{{~", "~}}"],
])("a tag has up to 10,000 characters, %s and %s included (contract A3.5)", (open, close) => {
  const tag = (characters: number) => `${open}${"x".repeat(characters - open.length - close.length)}${close}`
  expect(() => compileTemplate(tag(10_000), "html")).not.toThrow()
  expect(() => compileTemplate(tag(10_001), "html")).toThrow("The tag is longer than 10000 characters.")
})

test.each([
  ["a fallback", "{{x ?? ", "}}"],
  ["a comment", "{{! ", "}}"],
  ["a long comment", "{{!-- ", " --}}"],
])("the characters of %s do not count towards the limits of tags (contract A3.5)", (_, open, close) => {
  const tag = `${open}${"y".repeat(100_000)}${close}`
  expect(() => compileTemplate(tag.repeat(4), "html")).not.toThrow()
})
