import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { compileTemplate, RenderFault, type Template, TemplateFault } from "../../src/mail/render/index.ts"

const options = { locale: "en", limits: { ms: 200, bytes: 100_000 } }

function compiled(source: string): Template | undefined {
  try {
    return compileTemplate(source, "html")
  } catch (cause) {
    if (cause instanceof TemplateFault) return undefined
    throw cause
  }
}

function rendered(template: Template, variables: Record<string, unknown>): string | undefined {
  try {
    return template.render(variables, options)
  } catch (cause) {
    if (cause instanceof RenderFault) return undefined
    throw cause
  }
}

describe("No template reaches outside its variables (contract A3.1.5):", () => {
  const holders = [Object, Array, String, Number, Boolean, Function].map((made) => made.prototype as object)
  const bait = "outside"

  beforeAll(() => {
    for (const holder of holders) Object.defineProperty(holder, bait, { value: "REACHED", configurable: true })
  })
  afterAll(() => {
    for (const holder of holders) Reflect.deleteProperty(holder, bait)
  })

  const inherited = [bait, "constructor", "__proto__", "prototype", "toString", "hasOwnProperty", "valueOf", "at"]
  const names = [...inherited, "a", "b", "c", "length", "0"]
  const step = fc.constantFrom(...names, ...names.map((name) => `[${name}]`))
  const start = fc.constantFrom(
    "",
    "",
    "",
    "this.",
    "./",
    "../",
    "../../",
    "@root.",
    "@key.",
    "@index.",
    "@first.",
    "@",
    "x.",
  )
  const path = fc
    .tuple(start, fc.array(step, { minLength: 1, maxLength: 3 }))
    .map(([from, steps]) => from + steps.join("."))
  const call = fc
    .tuple(fc.constantFrom("upper", "join", "default", "eq", "and", "truncate", "formatDate", "urlencode"), path, path)
    .map(([helper, a, b]) => `${helper} ${a} ${b}`)
  const piece = fc.letrec<{ piece: string; body: string }>((tie) => ({
    body: fc.array(tie("piece"), { maxLength: 3 }).map((pieces) => pieces.join("")),
    piece: fc.oneof(
      { depthSize: "small" },
      path.map((to) => `{{${to}}}`),
      path.map((to) => `{{{${to} ?? none}}}`),
      call.map((made) => `{{${made}}}`),
      fc
        .tuple(
          fc.oneof(
            path,
            call.map((made) => `(${made})`),
          ),
          tie("body"),
        )
        .map(([to, body]) => `{{#if ${to}}}${body}{{/if}}`),
      fc.tuple(path, tie("body")).map(([to, body]) => `{{#each ${to} as |x|}}${body}{{/each}}`),
      fc.tuple(path, tie("body")).map(([to, body]) => `{{#with ${to} as |x|}}${body}{{else}}${body}{{/with}}`),
    ),
  })).body
  const spy = () => {
    throw new Error("called")
  }
  const leaf = fc.oneof(
    fc.constantFrom<unknown>("text", 5, true, null, spy, Symbol("s")),
    fc.array(fc.constantFrom("p", 7, spy)),
  )
  const data = fc.dictionary(
    fc.constantFrom("a", "b", "c", "__proto__", "constructor"),
    fc.oneof(leaf, fc.dictionary(fc.constantFrom("a", "b", "toString", "__proto__"), leaf)),
  )

  test("by any path, and functions in the variables are not called", () => {
    let made = 0
    fc.assert(
      fc.property(piece, data, (source, variables) => {
        const template = compiled(source)
        if (template === undefined) return
        made++
        const text = rendered(template, variables) ?? ""
        expect(text).not.toMatch(/REACHED|native code|function|=>|\[object/)
      }),
      { numRuns: 3_000 },
    )
    expect(made).toBeGreaterThan(2_000)
  })

  test.each(inherited)("%s is a missing value everywhere", (name) => {
    const places = [
      name,
      `this.${name}`,
      `@root.${name}`,
      `[${name}]`,
      `a.${name}`,
      `a.b.[${name}]`,
      `s.${name}`,
      `l.${name}`,
    ]
    const nested = places
      .map((place) => `{{${place} ?? -}}{{#if ${place}}}!{{/if}}{{#with ${place}}}!{{/with}}`)
      .join("")
    const inside = `{{#each l}}{{this.${name} ?? -}}{{@index.${name} ?? -}}{{/each}}{{#with a}}{{${name} ?? -}}{{/with}}`
    const variables = { a: { b: {} }, s: "text", l: [1] }
    expect(compileTemplate(nested + inside, "html").render(variables, options)).toBe("-".repeat(places.length + 3))
  })

  test.each(inherited)("an own property named %s is a value like any other", (name) => {
    const variables = Object.fromEntries([
      [name, "own"],
      ["a", Object.fromEntries([[name, "deep"]])],
    ])
    const source = `{{${name}}} {{a.${name}}} {{#with a}}{{${name}}}{{/with}} {{#each a}}{{@key}}{{/each}}`
    expect(compileTemplate(source, "html").render(variables, options)).toBe(`own deep deep ${name}`)
  })

  test("functions in the variables are missing values", () => {
    const variables = { f: spy, o: { f: spy }, l: [spy] }
    const source =
      "{{f ?? a}}{{o.f ?? b}}{{#if f}}!{{/if}}{{#each l}}{{this ?? c}}{{/each}}{{#each o}}{{this ?? d}}{{/each}}"
    expect(compileTemplate(source, "html").render(variables, options)).toBe("abcd")
  })
})

describe("Escaping", () => {
  test("leaves no markup character in the output of a tag, and loses nothing", () => {
    const marks: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" }
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("&", "<", ">", '"', "'", "a", "é", "😀", ";", "\n") }), (v) => {
        const text = compileTemplate("{{v}}", "html").render({ v }, options)
        expect(text).not.toMatch(/[<>"']/)
        expect(text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => marks[entity] ?? "")).toBe(v)
      }),
    )
  })
})

describe("Any source", () => {
  const shards = [
    ..."{}#/^&>~!?\"'[]()=|@.*\\ \n\u0000\u2028",
    ...[
      "{{",
      "}}",
      "{{{",
      "}}}",
      "{{#",
      "{{/",
      "{{!--",
      "--}}",
      "{{else}}",
      "??",
      " ?? ",
      "if",
      "each",
      "with",
      "unless",
    ],
    ...[
      "as |",
      "this",
      "../",
      "@root",
      "eq",
      "join",
      "a",
      "b.c",
      "text",
      "{{a}}",
      "{{a ?? b}}",
      "{{#if a}}",
      "{{/if}}",
    ],
    ...["{{#each l}}", "{{/each}}", "{{else if a}}", "\\{{", "\\\\{{", "😀", "\r\n", "{{!", "(eq a 1)", "5", "null"],
  ]
  const source = fc.array(fc.constantFrom(...shards), { maxLength: 25 }).map((parts) => parts.join(""))
  const variables = { a: "<A>", b: { c: [1, 2] }, l: ["x", null, { a: 1 }], text: "t" }

  test("is a valid template, or has a fault within its range", () => {
    let templates = 0
    fc.assert(
      fc.property(source, (text) => {
        try {
          const template = compileTemplate(text, "html")
          templates++
          expect(rendered(template, variables)).toBe(rendered(template, variables))
        } catch (cause) {
          if (!(cause instanceof TemplateFault)) throw cause
          expect(cause.offset).toBeLessThanOrEqual(text.length)
          expect(cause.line).toBeWithin(1, text.split(/\r\n?|\n/).length + 1)
          expect(cause.column).toBeWithin(1, text.length + 2)
        }
      }),
      { numRuns: 20_000 },
    )
    expect(templates).toBeGreaterThan(500)
  })

  test("gives the same text from templates compiled apart", () => {
    fc.assert(
      fc.property(source, (text) => {
        const [one, other] = [compiled(text), compiled(text)]
        if (one && other) expect(rendered(one, variables)).toBe(rendered(other, variables))
      }),
      { numRuns: 2_000 },
    )
  })
})
