import { describe, expect, test } from "bun:test"
import { createRenderer, TemplateFault } from "../../src/mail/render/index.ts"

describe("A renderer", () => {
  test("compiles a source once for each kind", () => {
    const renderer = createRenderer()
    const body = renderer.template("{{a}}", "html")
    expect(renderer.template(["{{a", "}}"].join(""), "html")).toBe(body)
    const subject = renderer.template("{{a}}", "subject")
    expect([body.kind, subject.kind]).toEqual(["html", "subject"])
    const render = (template: typeof body) => template.render({ a: "<" }, { locale: "en" })
    expect([render(body), render(subject)]).toEqual(["&lt;", "<"])
  })

  test("evicts the least recently used entry", () => {
    const renderer = createRenderer({ maxEntries: 2 })
    const [a, b] = [renderer.template("a", "html"), renderer.template("b", "html")]
    expect(renderer.template("a", "html")).toBe(a)
    renderer.template("c", "html")
    expect(renderer.template("a", "html")).toBe(a)
    expect(renderer.template("b", "html")).not.toBe(b)
  })

  test("keeps a bounded amount of text and of tags", () => {
    for (const [text, more] of [
      ["long text ".repeat(190_000), 18],
      ["{{a}}".repeat(20_000), 5],
    ] as const) {
      const renderer = createRenderer()
      const first = renderer.template(text, "html")
      expect(renderer.template(text, "html")).toBe(first)
      for (let number = 0; number < more; number++) renderer.template(`${text}${number}`, "html")
      expect(renderer.template(text, "html")).not.toBe(first)
    }
  })

  test("reports the faults of invalid sources on each call", () => {
    const renderer = createRenderer()
    for (let times = 0; times < 2; times++) expect(() => renderer.template("{{", "html")).toThrow(TemplateFault)
    expect(renderer.check({ subject: "{{a}}", body: "{{" })?.extras.details).toEqual({
      field: "body",
      line: 1,
      column: 1,
    })
    expect(renderer.check({ subject: "{{a}}", body: "{{b}}" })).toBeUndefined()
  })

  test("gives the language of each rendering its own formats", () => {
    const template = createRenderer().template("{{formatNumber 1234.5}} {{formatDate 0 'MMMM'}}", "html")
    const written = ["de", "en", "de"].map((locale) => template.render({}, { locale }))
    expect(written).toEqual(["1.234,5 Januar", "1,234.5 January", "1.234,5 Januar"])
  })
})
