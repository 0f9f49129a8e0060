import { describe, expect, test } from "bun:test"
import { DomainError } from "../../src/kernel/errors.ts"
import {
  checkTemplates,
  compileTemplate,
  maxSourceLength,
  RenderFault,
  rendering,
  TemplateFault,
} from "../../src/mail/render/index.ts"

function faultOf(source: string): TemplateFault {
  try {
    compileTemplate(source, "html")
  } catch (cause) {
    if (cause instanceof TemplateFault) return cause
    throw cause
  }
  throw new Error(`${source} compiles`)
}

type Row = readonly [source: string, line: number, column: number]

describe("A template is refused at the place of its fault:", () => {
  test.each<Row>([
    ["{{name", 1, 1],
    ["Hello {{name}", 1, 7],
    ["{{a {{b}}", 1, 1],
    ["{{name}}}", 1, 7],
    ["{{{name}}", 1, 8],
    ["{{}}", 1, 3],
    ["x\ny\r\n  {{a b= }}", 3, 10],
    ["{{a.this}}", 1, 3],
    ['{{"a}}', 1, 3],
    ["{{[a}}", 1, 3],
    ['{{a"b}} <a href="x">{{c ?? d}}', 1, 4],
    ["{{! never", 1, 1],
    ["a {{!-- never }}", 1, 3],
    ["{{#if a}}", 1, 1],
    ["{{/if}}", 1, 1],
    ["\n{{#if a}}\n{{/each}}", 2, 1],
    ["{{#each a}}{{#if b}}{{/each}}", 1, 12],
    ["{{else}}", 1, 1],
    ["{{#if a}}\n{{else}}\n{{else}}{{/if}}", 3, 1],
    ["a\u0000{{b}}", 1, 2],
  ])("syntax %j (%d:%d)", (source, line, column) => {
    const { line: foundLine, column: foundColumn, tooBig } = faultOf(source)
    expect([foundLine, foundColumn, tooBig]).toEqual([line, column, false])
  })

  test.each<Row>([
    ["{{a ?? }}", 1, 5],
    ["{{a ??}}", 1, 5],
    ["{{a ??~}}", 1, 5],
    ["{{a ?? b ?? c}}", 1, 10],
    ["{{a ????}}", 1, 7],
    ["\n {{upper a ?? b}}", 2, 12],
    ["{{upper ?? b}}", 1, 9],
    ["{{#if a ?? b}}{{/if}}", 1, 9],
    ["{{#if (eq a ?? b)}}{{/if}}", 1, 13],
    ["{{?? a}}", 1, 3],
    ["{{a ?? {{b}}}}", 1, 8],
    ["{{{a ?? b}}", 1, 1],
    ["{{a ?? b}}}", 1, 9],
    ["{{a ?? b", 1, 1],
  ])("fallback %j (%d:%d)", (source, line, column) => {
    const fault = faultOf(source)
    expect([fault.line, fault.column]).toEqual([line, column])
  })

  test.each<Row>([
    ["{{nope a}}", 1, 1],
    ["<p>\n{{a}} {{nope a}}", 2, 7],
    ["{{#if (nope a)}}{{/if}}", 1, 7],
    ["{{upper (lower (nope a))}}", 1, 16],
    ["{{lookup a b}}", 1, 1],
    ["{{log a}}", 1, 1],
    ["{{a.b c}}", 1, 1],
    ["{{this.upper c}}", 1, 1],
    ["{{constructor a}}", 1, 1],
    ["{{__proto__ a}}", 1, 1],
    ["{{toString a}}", 1, 1],
    ["{{blockHelperMissing a}}", 1, 1],
    ["{{nope a=1}}", 1, 1],
    ["{{upper a=1}}", 1, 9],
    ["{{formatDate a zone=1}}", 1, 16],
    ["{{formatDate a constructor=1}}", 1, 16],
    ["{{if a}}", 1, 1],
    ["{{each}}", 1, 1],
    ["{{#upper a}}{{/upper}}", 1, 1],
    ["{{#name}}{{/name}}", 1, 1],
    ["{{#constructor}}{{/constructor}}", 1, 1],
    ["{{^name}}{{/name}}", 1, 1],
    ["{{^if a}}{{/if}}", 1, 1],
    ["{{#if a}}{{else nope b}}{{/if}}", 1, 10],
    ["{{#if}}{{/if}}", 1, 1],
    ["{{#if a b}}{{/if}}", 1, 1],
    ["{{#if a includeZero=true}}{{/if}}", 1, 1],
    ["{{#if a as |b|}}{{/if}}", 1, 1],
    ["{{#each a as |b c d|}}{{/each}}", 1, 1],
    ["{{> partial}}", 1, 1],
    ["{{~> partial}}", 1, 1],
    ["{{#> partial}}{{/partial}}", 1, 1],
    ['{{#*inline "a"}}{{/inline}}', 1, 1],
    ["{{* decorator}}", 1, 1],
    ["{{{{raw}}}} {{{{/raw}}}}", 1, 1],
  ])("unknown or unavailable %j (%d:%d)", (source, line, column) => {
    const fault = faultOf(source)
    expect([fault.line, fault.column]).toEqual([line, column])
  })

  test.each<Row>([
    ["{{a ?? one\ntwo}}\n{{b ?? 'x'}} {{!-- long\ncomment --}} {{nope c}}", 4, 14],
    ["{{a ?? a long text}}{{b ??c}}{{nope d}}", 1, 30],
    ["😀 {{a}} é {{nope d}}", 1, 11],
    ["{{a ?? 😀}}{{nope d}}", 1, 11],
    ["\\{{a ?? }} {{nope d}}", 1, 12],
    ["a\rb\r\nc\n{{nope d}}", 4, 1],
  ])("%j, counted in the source as it was written (%d:%d)", (source, line, column) => {
    const fault = faultOf(source)
    expect([fault.line, fault.column]).toEqual([line, column])
  })

  test.each<Row>([
    ["{{nope a}}\n{{#if}}", 1, 1],
    ["{{#if a}}{{nope a}}{{/if}}\n{{b", 1, 10],
    ["{{a.this}}\n{{> partial}}", 1, 3],
    ["{{nope a}}\n{{a.this}}\n{{> partial}}", 1, 1],
    ["{{#each a}}{{b}}\n{{nope c}}\n{{d ?? }}{{/each}}", 2, 1],
    ["{{#if a}}{{nope b}}", 1, 1],
  ])("the first of several, %j (%d:%d)", (source, line, column) => {
    const fault = faultOf(source)
    expect([fault.line, fault.column]).toEqual([line, column])
  })

  test("a source over 2,000,000 characters is too big, whatever it holds", () => {
    const fault = faultOf("{{".repeat(maxSourceLength / 2 + 1))
    expect(fault.tooBig).toBe(true)
    expect(faultOf(`${"😀".repeat(maxSourceLength)}x`).tooBig).toBe(true)
  })

  test("a source of 2,000,000 characters is not, counted in code points", () => {
    const source = `${"😀".repeat(maxSourceLength - 5)}{{a}}`
    expect(compileTemplate(source, "html").render({ a: "!" }, { locale: "en" })).toEndWith("😀!")
  })
})

test.each([
  ["{{First Name}}", "{{[First Name]}}"],
  ["{{ Address  line 2 }}", "{{[Address line 2]}}"],
  ['{{First Name ?? "friend"}}', "{{[First Name]}}"],
])("of a field with blanks, %j, the fault says how it is written", (source, written) => {
  const name = source.match(/\w+/)?.[0]
  expect(faultOf(source).message).toBe(`Unknown helper "${name}". A field whose name has blanks is written ${written}.`)
  const field = written.slice(3, -3)
  expect(compileTemplate(written, "html").render({ [field]: "Ada" }, { locale: "en" })).toBe("Ada")
})

test.each(["{{nope 'a'}}", "{{nope a=1}}", "{{nope a b=1}}", "{{a.b c}}", "{{nope ../a}}", "{{nope (upper a)}}"])(
  "of a helper, %j, the fault only names it",
  (source) => {
    expect(faultOf(source).message).toEndWith('".')
  },
)

test.each([
  ["{{ name | default: 'there' }}", 9, "{{name ?? there}}"],
  ["{{name|default:'there'}}", 7, "{{name ?? there}}"],
  ["{{#if plan == 'pro'}}{{/if}}", 13, "{{#if (gt age 17)}}"],
  ["{{#if a && b}}{{/if}}", 9, "{{#if (gt age 17)}}"],
  ["{{#if `count` > 3}}{{/if}}", 7, "{{#if (gt age 17)}}"],
  ["{{#equals plan 'pro'}}{{/equals}}", 1, "{{#if (eq a b)}}"],
  ["{{#company}}{{/company}}", 1, "{{#with company}}"],
])("of %j, as other products have it, the fault (column %d) says how it is written here", (source, column, written) => {
  const fault = faultOf(source)
  expect([fault.column, fault.message]).toEqual([column, expect.stringContaining(written)])
})

describe("A faulty content", () => {
  const answer = (error: DomainError | undefined) => error && [error.kind, error.code, error.extras]

  test("is a 422 with an item, the line in its message, and the place in its details (contract A3.5)", () => {
    expect(answer(checkTemplates({ subject: "{{a}}", body: "<p>\n {{nope 'a'}}" }))).toEqual([
      "invalid",
      "VALIDATION_ERROR",
      {
        errors: [{ field: "body", code: "custom", message: 'Line 2, column 2: Unknown helper "nope".' }],
        details: { field: "body", line: 2, column: 2 },
      },
    ])
  })

  test("with two faulty templates has an item for each and the details of the first", () => {
    const error = checkTemplates({ subject: " {{a", body: "{{b" })
    expect(error?.extras.errors?.map((item) => item.field)).toEqual(["subject", "body"])
    expect(error?.extras.details).toEqual({ field: "subject", line: 1, column: 2 })
  })

  test("that is too long is too_big, without a place", () => {
    const error = checkTemplates({ body: "x".repeat(maxSourceLength + 1) })
    expect(error?.extras.errors?.map(({ field, code }) => [field, code])).toEqual([["body", "too_big"]])
    expect(error?.extras.details).toBeUndefined()
  })

  test("is told from a good one and from one that is not sent", () => {
    expect(checkTemplates({ subject: "{{a ?? b}}", body: "{{#if a}}{{/if}}" })).toBeUndefined()
    expect(checkTemplates({})).toBeUndefined()
  })

  test("is refused by the work that needs it, and other errors pass through", () => {
    const refusal = (work: () => unknown): unknown => {
      try {
        return rendering("subject", work)
      } catch (cause) {
        return cause
      }
    }
    const unparsed = refusal(() => compileTemplate("{{a", "subject"))
    expect(unparsed).toBeInstanceOf(DomainError)
    expect((unparsed as DomainError).extras.details).toEqual({ field: "subject", line: 1, column: 1 })
    const endless = refusal(() => {
      throw new RenderFault("time")
    })
    expect((endless as DomainError).extras.errors?.map(({ field, code }) => [field, code])).toEqual([
      ["subject", "custom"],
    ])
    const other = new TypeError("other")
    expect(
      refusal(() => {
        throw other
      }),
    ).toBe(other)
    expect(refusal(() => 5)).toBe(5)
  })
})
