import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import Handlebars from "handlebars"
import { compileTemplate, TemplateFault } from "../../src/mail/render/index.ts"

const options = { locale: "en" }

function render(source: string, variables: Record<string, unknown>): string | undefined {
  try {
    return compileTemplate(source, "html").render(variables, options)
  } catch (cause) {
    if (cause instanceof TemplateFault) return undefined
    throw cause
  }
}

describe("Templates without our additions", () => {
  const path = fc.constantFrom("s", "n", "o.s", "missing", "this.s", "@root.s", "../s", "z", "[a b]", "o/s")
  const tilde = fc.constantFrom("", "", "", "~")
  const block = fc.constantFrom("if s", "if z", "unless missing", "each l", "each o", "with o", "with missing", "if n")
  const piece = fc.letrec<{ body: string; piece: string }>((tie) => ({
    body: fc.array(tie("piece"), { maxLength: 5 }).map((pieces) => pieces.join("")),
    piece: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom(" ", "\n", "  \n", "x", "\r\n", "\\", "}", "} }", "?"),
      fc.constantFrom(
        "{{! c }}",
        "{{!-- c }} --}}",
        "{{~! c ~}}",
        "{{~!-- c --~}}",
        "{{!----}}",
        "\\{{s}}",
        "\\\\{{s}}",
        "\\\\\\{{n}}",
      ),
      fc.tuple(tilde, path, tilde).map(([left, to, right]) => `{{${left}${to}${right}}}`),
      path.map((to) => `{{{${to}}}}{{&${to}}}`),
      fc
        .tuple(
          block,
          tilde,
          tie("body"),
          tilde,
          fc.constantFrom("", "{{else}}", "{{~else~}}", "{{^}}", "{{else if s}}"),
          tie("body"),
        )
        .map(([name, left, body, right, middle, otherwise]) => {
          const [word] = name.split(" ")
          return `{{${left}#${name}}}${body}${middle}${middle && otherwise}{{/${word}${right}}}`
        }),
    ),
  })).body

  test("render as the library renders them, or are refused by both", () => {
    // No numbers: the library adds up those that stand side by side.
    const variables = { s: "S", n: "5", z: "", o: { s: "OS", n: "7" }, l: ["p", "q"], "a b": "AB" }
    const plain = (text: string): string | undefined => {
      try {
        return Handlebars.compile(text, { noEscape: true })(variables)
      } catch {
        return undefined
      }
    }
    let same = 0
    fc.assert(
      fc.property(piece, (text) => {
        const expected = plain(text)
        if (expected !== undefined) same++
        expect(render(text, variables)).toBe(expected)
      }),
      { numRuns: 3_000 },
    )
    expect(same).toBeGreaterThan(1_500)
  })

  test("keep every fallback at its own tag", () => {
    const noise = fc.constantFrom(
      "{{s}}",
      "{{!-- {{a ?? b}} --}}",
      "\\{{a ?? b}} ",
      "{{#if (eq s '??')}}{{/if}}",
      "text ?? ",
      "{{upper s}}",
      "\n",
    )
    const texts = fc.array(fc.tuple(noise, fc.constantFrom("{{", "{{{", "{{& ", "{{~"), fc.nat(99)), { maxLength: 12 })
    fc.assert(
      fc.property(texts, (parts) => {
        const write = (fallback: (open: string, number: number) => string) =>
          parts.map(([before, open, number]) => `${before}|${fallback(open, number)}`).join("")
        const withFallbacks = write((open, number) => `${open}missing ?? v${number}${open === "{{{" ? "}}}" : "}}"}`)
        const written = write((open, number) => (open === "{{~" ? `{{~""}}v${number}` : `v${number}`))
        const expected = render(written, { s: "S" })
        expect(expected).toBeString()
        expect(render(withFallbacks, { s: "S" })).toBe(expected)
      }),
    )
  })
})
