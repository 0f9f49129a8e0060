import { describe, expect, test } from "bun:test"
import { compileTemplate } from "../../src/mail/render/index.ts"

const html = (source: string, variables: Record<string, unknown> = {}): string =>
  compileTemplate(source, "html").render(variables, { locale: "en" })
const subject = (source: string, variables: Record<string, unknown> = {}): string =>
  compileTemplate(source, "subject").render(variables, { locale: "en" })

type Row = readonly [source: string, expected: string]

const ada = {
  name: "Ada",
  empty: "",
  zero: 0,
  no: false,
  yes: true,
  nothing: null,
  list: [1, 2],
  none: [],
  bag: {},
  "first name": "A.",
  "a.b": "dotted",
  profile: { tier: "gold", city: { name: "Oslo" } },
  items: [
    { name: "pen", price: 3 },
    { name: "cup", price: 4 },
  ],
  grid: [["a", "b"], ["c"]],
  scores: { math: 1, art: 2 },
  data: { default: "field", name: "deep", upper: "U" },
  default: "shadow",
  upper: "shadow",
  if: "shadow",
}

describe("A variable (contract A3.1.1)", () => {
  test.each<Row>([
    ["{{name}}", "Ada"],
    ["{{ name }}{{\tname\n}}", "AdaAda"],
    ["{{profile.tier}} {{profile.city.name}} {{profile/tier}}", "gold Oslo gold"],
    ["{{[first name]}}{{profile.[tier]}}{{[a.b]}}", "A.golddotted"],
    ['{{"first name"}}', "A."],
    ["{{items.0.name}}{{items.[1].name}}{{items.length}}", "pencup2"],
    ["<{{unknown}}{{profile.unknown}}{{unknown.a.b}}{{name.a}}{{zero.a}}{{nothing.a}}>", "<>"],
    ["{{this.name}}{{./name}}", "AdaAda"],
    ["no tags } { }} \\ here", "no tags } { }} \\ here"],
    ["", ""],
  ])("%j prints %j", (source, expected) => {
    expect(html(source, ada)).toBe(expected)
  })
})

describe("A fallback (contract A3.1.2)", () => {
  test.each<Row>([
    ["{{unknown ?? there}}", "there"],
    ["{{nothing ?? there}}", "there"],
    ["{{name ?? there}}", "Ada"],
    ["<{{empty ?? x}}>{{zero ?? x}}{{no ?? x}}", "<>0false"],
    ["<{{none ?? x}}{{bag ?? x}}>", "<>"],
    ["{{unknown??there}}{{unknown ??there}}{{unknown?? there}}", "theretherethere"],
    ["{{unknown ??    two  words   }}", "two  words"],
    ['{{unknown ?? "dear friend"}}', "dear friend"],
    ["{{unknown ?? 'dear friend'}}", "dear friend"],
    ["<{{unknown ?? \"\"}}{{unknown ?? ''}}>", "<>"],
    ['{{unknown ?? " a "}}', " a "],
    ["{{{unknown ?? \"'a'\"}}}", "'a'"],
    ["{{{unknown ?? \"a'}}}", "\"a'"],
    ['{{{unknown ?? "}}}', '"'],
    ["{{unknown ?? name}}", "name"],
    ["{{unknown ?? (upper name)}}", "(upper name)"],
    ["{{unknown ?? it's a } brace}}", "it&#39;s a } brace"],
    ["{{unknown ?? a ? b}}{{unknown ??? b}}", "a ? b? b"],
    ["{{unknown ?? one\ntwo}}", "one\ntwo"],
    ["{{profile.unknown ?? p}}{{[odd ?? name] ?? q}}", "pq"],
    ["{{#each items}}{{size ?? -}}{{../name ?? x}}{{@index ?? x}}{{/each}}", "-Ada0-Ada1"],
    ["{{#each none}}{{else}}{{unknown ?? e}}{{/each}}{{unknown ?? f}}", "ef"],
    ["a {{~unknown ?? b~}} c", "abc"],
    ["{{unknown ?? there ~}} .", "there."],
    ['{{unknown ?? "~"}}', "~"],
    ["{{~{unknown ?? <b>}~}} .", "<b>."],
    ["{{{unknown ?? <b>}}}{{& unknown ?? <i>}}", "<b><i>"],
    ["{{!-- {{x ?? y}} --}}{{unknown ?? a}}\\{{x ?? y}}{{unknown ?? b}}", "a{{x ?? y}}b"],
    ['{{eq "??" name}}{{unknown ?? c}}', "falsec"],
    ["What?? {{name}} ??", "What?? Ada ??"],
  ])("%j prints %j", (source, expected) => {
    expect(html(source, ada)).toBe(expected)
  })
})

describe("Blocks (contract A3.1.3)", () => {
  test.each<Row>([
    ["{{#if name}}a{{/if}}{{#if unknown}}b{{/if}}", "a"],
    ["{{#if yes}}a{{else}}b{{/if}}{{#if no}}a{{else}}b{{/if}}{{#if no}}a{{^}}b{{/if}}", "abb"],
    ["{{#if no}}a{{else if zero}}b{{else if name}}c{{else}}d{{/if}}", "c"],
    ["{{#if no}}a{{else if zero}}b{{else}}d{{/if}}", "d"],
    ["{{#unless no}}a{{else}}b{{/unless}}{{#unless yes}}a{{else}}b{{/unless}}", "ab"],
    ["{{#if no}}{{else unless no}}u{{/if}}{{#if no}}{{else each list}}{{this}}{{/if}}", "u12"],
    ["{{#each list}}{{this}},{{.}};{{/each}}", "1,1;2,2;"],
    ["{{#each items}}{{@index}}{{@key}}{{@first}}{{@last}}{{name}} {{/each}}", "00truefalsepen 11falsetruecup "],
    ["{{#each scores}}{{@key}}={{this}}@{{@index}} {{/each}}", "math=1@0 art=2@1 "],
    ["{{#each none}}a{{else}}b{{/each}}{{#each bag}}a{{else}}b{{/each}}{{#each name}}a{{else}}b{{/each}}", "bbb"],
    ["{{#each unknown}}a{{else}}b{{/each}}{{#each unknown}}a{{/each}}", "b"],
    ["{{#each items}}{{../name}}{{@root.name}}{{../profile.tier}}{{/each}}", "AdaAdagoldAdaAdagold"],
    ["{{#each items}}{{#if name}}{{name}}{{../name}}{{/if}}{{/each}}", "penAdacupAda"],
    ["{{#each grid}}{{#each this}}{{this}}{{@index}}{{@../index}} {{/each}}{{/each}}", "a00 b10 c01 "],
    ["{{#each grid}}{{#each .}}{{../../name}}{{/each}}{{/each}}", "AdaAdaAda"],
    ["<{{../name}}{{../../name}}{{@index}}{{@unknown}}>", "<>"],
    ["{{#with profile}}{{tier}}{{city.name}}{{../name}}{{name}}{{/with}}", "goldOsloAda"],
    ["{{#with unknown}}a{{else}}{{name}}{{/with}}{{#with none}}a{{else}}b{{/with}}", "Adab"],
    ["{{#with items}}{{#each this}}{{name}}{{/each}}{{/with}}", "pencup"],
    ["{{#each items as |item i|}}{{i}}{{item.name}}{{item.unknown}} {{/each}}", "0pen 1cup "],
    ["{{#each grid as |row r|}}{{#each row as |cell|}}{{r}}{{cell}}{{/each}}{{/each}}", "0a0b1c"],
    ["{{#with profile as |p|}}{{p.tier}}{{/with}}", "gold"],
    ["{{#each scores as |value key|}}{{key}}{{value}}{{/each}}", "math1art2"],
    ["{{#each items as |name|}}{{name.name}}{{this.name}}{{/each}}", "penpencupcup"],
    ["{{#if bag}}object{{/if}}{{#if none}}{{else}}empty{{/if}}", "objectempty"],
  ])("%j prints %j", (source, expected) => {
    expect(html(source, ada)).toBe(expected)
  })

  test.each([
    [undefined, "F"],
    [null, "F"],
    [false, "F"],
    [0, "F"],
    ["", "F"],
    [[], "F"],
    [true, "T"],
    [1, "T"],
    [-1, "T"],
    ["0", "T"],
    [" ", "T"],
    [[0], "T"],
    [{}, "T"],
  ])("%j is taken for %s by every block and by and, or, not", (v, expected) => {
    const source = [
      "{{#if v}}T{{else}}F{{/if}}",
      "{{#unless v}}F{{else}}T{{/unless}}",
      "{{#with v}}T{{else}}F{{/with}}",
      "{{#if (and v)}}T{{else}}F{{/if}}",
      "{{#if (or v)}}T{{else}}F{{/if}}",
      "{{#if (not v)}}F{{else}}T{{/if}}",
    ]
    expect(html(source.join(""), { v })).toBe(expected.repeat(6))
  })
})

describe("White space, comments and escapes (contract A3.1.3)", () => {
  test.each<Row>([
    ["a {{~name~}} b", "aAdab"],
    ["a {{~#if yes~}} b {{~/if~}} c", "abc"],
    ["a{{! one }}b{{!-- two }} {{x}} --}}c{{!}}d{{!----}}e{{!--}}f", "abcdef"],
    ["a {{~! one ~}} b {{~!-- two --~}} c", "abc"],
    ["<ul>\n  {{#each list}}\n  <li>{{this}}</li>\n  {{/each}}\n</ul>", "<ul>\n  <li>1</li>\n  <li>2</li>\n</ul>"],
    ["a\n{{! alone on its line }}\nb\n  {{!-- so\n is this --}}\nc", "a\nb\nc"],
    ["\\{{name}} {{name}}", "{{name}} Ada"],
    ["\\{{name}}\\{{name}}{{name}}", "{{name}}{{name}}Ada"],
    ["\\\\{{name}} \\\\\\{{name}}", "\\Ada \\\\Ada"],
    ["{{name}}\\{{{name}}} {{{name}}}", "Ada{{{name}}} Ada"],
  ])("%j prints %j", (source, expected) => {
    expect(html(source, ada)).toBe(expected)
  })
})

describe("What values print (contract A3.1.4)", () => {
  test.each([
    [["a", "b"], "a, b"],
    [[1, true, "x", null], "1, true, x, "],
    [["one"], "one"],
    [[], ""],
    [[{ a: 1 }], ""],
    [["a", ["b"]], ""],
    [{ a: 1 }, ""],
    [true, "true"],
    [false, "false"],
    [41, "41"],
    [-0.5, "-0.5"],
    [0, "0"],
    [1e21, "1e+21"],
    [0.1, "0.1"],
    [123456789012, "123456789012"],
    [null, ""],
    ["text", "text"],
  ])("%j prints %j", (v, expected) => {
    expect(html("{{v}}{{{v}}}", { v })).toBe(expected.repeat(2))
    expect(subject("({{v}})", { v })).toBe(`(${expected})`)
  })
})

describe("Escaping (contract A3.2)", () => {
  const v = `&<>"'\`=/`
  test("turns five characters of a body into entities and leaves the others", () => {
    expect(html("{{v}}", { v })).toBe("&amp;&lt;&gt;&quot;&#39;`=/")
  })

  test("holds for fallbacks, helper results and elements of arrays", () => {
    expect(html("{{u ?? <b>}}{{upper v}}{{list}}", { v: "<", list: ["<", "&"] })).toBe("&lt;b&gt;&lt;&lt;, &amp;")
  })

  test("is switched off by three braces and by an ampersand", () => {
    expect(html("{{{v}}}{{& v}}{{{upper v}}}{{{u ?? <b>}}}", { v })).toBe(`${v.repeat(3)}<b>`)
  })

  test("leaves the template's own text alone", () => {
    expect(html('<p title="&">\'</p>')).toBe('<p title="&">\'</p>')
  })

  test("is not applied to subjects", () => {
    expect(subject("{{v}}{{{v}}}{{u ?? <b>}}", { v })).toBe(`${v}${v}<b>`)
  })
})

describe("A subject (contract A3.2)", () => {
  test("is one trimmed line", () => {
    expect(subject(" \r\n a{{v}}c\n", { v: "\r\n\n\rb\r\n" })).toBe("a b c")
  })

  test("is cut to 998 code points", () => {
    expect(subject("{{v}}", { v: "x".repeat(999) })).toBe("x".repeat(998))
    expect(subject("{{v}}", { v: "😀".repeat(998) })).toBe("😀".repeat(998))
    expect(subject("a{{v}}", { v: "😀".repeat(2_000) })).toBe(`a${"😀".repeat(997)}`)
  })
})

describe("The worked examples (contract A2.2)", () => {
  const stored = { plan: "free", city: "Oslo", profile: { tier: "gold", since: 2020 } }
  const { city: _, ...withoutCity } = stored
  test.each<readonly [visible: Record<string, unknown>, source: string, expected: string]>([
    [{ ...stored, plan: "pro" }, "{{plan}} {{city}}", "pro Oslo"],
    [{ ...stored, age: 41, vip: false }, "{{age}} {{vip}}", "41 false"],
    [{ ...stored, profile: { tier: "silver" } }, "{{profile.tier}} <{{profile.since}}>", "silver <>"],
    [{ ...stored, profile: { tier: null, note: "" } }, "{{profile.tier ?? none}}", "none"],
    [withoutCity, "{{city ?? there}}", "there"],
    [stored, "{{city}}", "Oslo"],
    [{ ...stored, code: "4711" }, "{{code}}", "4711"],
    [{ ...stored, plan: "trial" }, "{{plan}}", "trial"],
    [{ ...stored, plan: null }, "{{plan ?? none}}", "none"],
    [{ ...stored, x: { value: 1, persistent: true } }, "{{x.value}}", "1"],
    [{ ...stored, id: "0199c0de" }, "{{id}}", "0199c0de"],
    [{ subscribed: true, data: { subscribed: "maybe" } }, "{{subscribed}} {{data.subscribed}}", "true maybe"],
    [{ ...stored, tags: ["a", "b"] }, "{{tags}}", "a, b"],
  ])("%j seen by %j is %j", (visible, source, expected) => {
    expect(html(source, { data: visible, ...visible })).toBe(expected)
  })
})
