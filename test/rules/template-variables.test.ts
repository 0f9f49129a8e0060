import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { compileTemplate, dotted, missingVariables, pickVariables } from "../../src/mail/render/index.ts"

const html = (source: string) => compileTemplate(source, "html")
const paths = (source: string): string[] => html(source).variables.paths.map(dotted)

describe("The variables of a template", () => {
  test.each([
    ["{{a}} {{b.c}} {{a}} {{[d e]}} {{[f.g].h}}", ["a", "b.c", "[d e]", "[f.g].h"]],
    ["{{[this]}} {{[else]}} {{[a??b]}} {{a.[this]}}", ["[this]", "[else]", "[a??b]", "a.[this]"]],
    ["{{a ?? b}} {{upper c}} {{eq d (join e f)}}", ["a", "c", "d", "e", "f"]],
    ["{{#if a}}{{b}}{{else if c}}{{d}}{{else}}{{e}}{{/if}}{{#unless f}}{{/unless}}", ["a", "b", "c", "d", "e", "f"]],
    ["{{#each a}}{{b}}{{this}}{{this.c}}{{@index}}{{../d}}{{@root.e}}{{else}}{{f}}{{/each}}", ["a", "d", "e", "f"]],
    ["{{#with a}}{{b}}{{this.c}}{{../d}}{{else}}{{e}}{{/with}}", ["a", "a.b", "a.c", "d", "e"]],
    ["{{#with a.b as |x|}}{{x.c}}{{#each x}}{{x.d}}{{/each}}{{/with}}", ["a.b", "a.b.c", "a.b.d"]],
    ["{{#each a as |x i|}}{{x}}{{x.b}}{{i}}{{c}}{{/each}}", ["a"]],
    ["{{#with (default a b)}}{{c}}{{/with}}", ["a", "b"]],
    ["{{#each a}}{{#each b}}{{../../c}}{{../d}}{{/each}}{{/each}}", ["a", "c"]],
    ["{{! a }}{{!-- {{b}} --}}\\{{c}} {{upper 'd'}} {{../e}} {{@unknown}}", []],
  ])("in %j are %j", (source, expected) => {
    expect(paths(source)).toEqual(expected)
    expect(html(source).variables.dynamic).toBe(false)
  })

  test.each([
    "{{#each this}}{{/each}}",
    "{{#each @root}}{{/each}}",
    "{{join . '-'}}",
    "{{#each a}}{{#each ..}}{{/each}}{{/each}}",
  ])("in %j may be any", (source) => {
    expect(html(source).variables.dynamic).toBe(true)
    expect(html(source).uses("unsubscribeUrl")).toBe(true)
  })

  test.each([
    ['<a href="{{unsubscribeUrl}}">', true],
    ["{{#if vip}}{{else}}{{{unsubscribeUrl ?? x}}}{{/if}}", true],
    ["{{#each a}}{{@root.unsubscribeUrl}}{{/each}}", true],
    ["{{upper unsubscribeUrl}}", true],
    ["{{this.unsubscribeUrl}}{{#with a}}{{/with}}", true],
    ["unsubscribeUrl \\{{unsubscribeUrl}} {{! unsubscribeUrl }} {{a ?? unsubscribeUrl}}", false],
    ["{{#with a}}{{unsubscribeUrl}}{{/with}}{{a.unsubscribeUrl}}{{data.unsubscribeUrl}}", false],
    ["{{subscribeUrl}} {{'unsubscribeUrl2'}}", false],
  ])("%j tells whether the unsubscribe link is used: %j", (source, expected) => {
    expect(html(source).uses("unsubscribeUrl")).toBe(expected)
  })

  test("without a value are reported as missing", () => {
    const templates = [html("{{a}}{{b.c}}{{b.d ?? x}}{{e}}{{f}}"), compileTemplate("{{g}}{{a}}{{e}}", "subject")]
    expect(missingVariables(templates, { a: 0, b: { c: "" }, e: null })).toEqual(["b.d", "e", "f", "g"])
  })

  test("that a template uses can be selected; of data, only the fields that it uses", () => {
    const data = { a: 1, b: 2, c: 3 }
    const variables: Record<string, unknown> = { ...data, data, id: "i" }
    const pick = (...sources: string[]) => pickVariables(sources.map(html), variables)
    expect(pick("{{a}}", "{{id}}")).toEqual({ a: 1, id: "i" })
    expect(pick("{{data.a}}", "{{data.c.x}}{{b}}")).toEqual({ b: 2, data: { a: 1, c: 3 } })
    expect(pick("{{#each data}}{{/each}}")).toEqual({ data })
    expect(pick("{{#each this}}{{/each}}")).toBe(variables)
    expect(pick("text")).toEqual({})
  })

  const names = ["a", "b", "__proto__", "data", "data.a", "data.b", "data.__proto__", "../a", "this.b", "@root.data.a"]
  const piece = fc
    .constantFrom(...names)
    .chain((name) =>
      fc.constantFrom(
        `{{${name}}}`,
        `{{${name} ?? x}}`,
        `{{upper ${name}}}`,
        `{{#each ${name}}}{{this}}{{@key}}{{../a}}{{/each}}`,
        `{{#with ${name}}}{{a}}{{b}}{{#each this}}{{this}}{{/each}}{{/with}}`,
        `{{#each this}}{{#if ${name}}}{{@key}}{{/if}}{{/each}}`,
      ),
    )
  const leaf = fc.oneof(fc.string({ maxLength: 3 }), fc.integer(), fc.boolean(), fc.constant(null))
  const value = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.dictionary(fc.constantFrom("a", "b"), leaf))
  const fields = fc.dictionary(fc.constantFrom("a", "b", "c", "__proto__"), value)

  test("that were selected render the same as all of them", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), fields, (pieces, data) => {
        const template = html(pieces.join("|"))
        const variables = Object.fromEntries<unknown>([...Object.entries(data), ["data", data], ["spare", "s"]])
        const options = { locale: "en" }
        expect(template.render(pickVariables([template], variables), options)).toBe(template.render(variables, options))
      }),
      { numRuns: 500 },
    )
  })
})
