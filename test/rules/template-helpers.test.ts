import { describe, expect, test } from "bun:test"
import { compileTemplate, languages } from "../../src/mail/render/index.ts"

const render = (source: string, variables: Record<string, unknown> = {}, locale = "en"): string =>
  compileTemplate(source, "html").render(variables, { locale })

type Row = readonly [source: string, expected: string]

const data = {
  five: 5,
  text: "5",
  word: "éclair",
  list: ["a", "b", "c"],
  none: [],
  mixed: ["a", { b: 1 }],
  nothing: null,
  empty: "",
  default: "shadow",
  eq: "shadow",
  data: { default: "field", eq: "field" },
}

describe("Comparisons (contract A3.3)", () => {
  test.each<Row>([
    ["{{eq five 5}} {{eq five text}} {{eq five 6}} {{eq text '5'}}", "true false false true"],
    ["{{ne five 5}} {{ne five text}}", "false true"],
    ["{{eq nothing null}} {{eq unknown undefined}} {{eq unknown null}} {{eq true true}}", "true true false true"],
    [
      "{{gt five 4}} {{gt five 5}} {{gte five 5}} {{lt five 6}} {{lte five 5}} {{lt five 5}}",
      "true false true true true false",
    ],
    [
      "{{gt 10 9}} {{gt '10' '9'}} {{lt 'a' 'b'}} {{lt 'a' 'ab'}} {{gte 'a' 'a'}} {{lt '' 'a'}}",
      "true false true true true true",
    ],
    [
      "{{gt five text}} {{gt text five}} {{lte five text}} {{lt nothing 1}} {{gt true 0}} {{gte unknown unknown}}",
      "false false false false false false",
    ],
    ["{{gt -1 -2}} {{lt 1.5 1.25}}", "true false"],
  ])("%j prints %j", (source, expected) => {
    expect(render(source, data)).toBe(expected)
  })

  test("go by code point, not by UTF-16 unit", () => {
    const variables = { emoji: "a😀", last: "a\uffff", same: "a😀b", other: "a😁" }
    expect(render("{{gt emoji last}}{{lt last emoji}}{{lt emoji same}}{{lt same other}}", variables)).toBe(
      "truetruetruetrue",
    )
  })
})

describe("Logic (contract A3.3)", () => {
  test.each<Row>([
    ["{{and five text}} {{and five none}} {{and five text empty}}", "true false false"],
    ["{{or empty none}} {{or empty five}} {{or unknown nothing 0}}", "false true false"],
    ["{{not none}} {{not five}} {{not unknown}}", "true false true"],
    ["{{#if (and (gt five 4) (not (eq text 'x')))}}yes{{/if}}", "yes"],
    ["{{#if (gt age 17)}}adult{{else if (gte age 0)}}minor{{else}}unknown{{/if}}", "unknown"],
    ["{{#unless (or empty none)}}yes{{/unless}}", "yes"],
  ])("%j prints %j", (source, expected) => {
    expect(render(source, data)).toBe(expected)
  })
})

describe("Text (contract A3.3)", () => {
  test.each<Row>([
    ["{{upper word}} {{lower 'ÀB'}} {{capitalize word}} {{capitalize 'aBC'}}", "ÉCLAIR àb Éclair ABC"],
    ["{{capitalize '𐐨x'}}<{{capitalize ''}}{{upper unknown}}{{lower nothing}}>", "𐐀x<>"],
    ["{{upper five}}{{upper list}}{{upper true}}", "5A, B, CTRUE"],
    ["{{default unknown 'x'}} {{default nothing 'x'}} {{default empty 'x'}} {{default five 'x'}}", "x x x 5"],
    ["{{default 0 'x'}} {{default false 'x'}} {{default unknown five}}", "0 false 5"],
    [
      "{{truncate 'hello' 3}} {{truncate 'hello' 5}} {{truncate 'hello' 9}} {{truncate 'hello' 0}}",
      "hel… hello hello …",
    ],
    ["{{truncate '😀😁😂' 2}} {{truncate '😀😁😂' 3}} {{truncate five 1}}", "😀😁… 😀😁😂 5"],
    [
      "{{truncate 'hello'}} {{truncate 'hello' 'x'}} {{truncate 'hello' -1}} {{truncate 'hello' 1.9}}",
      "hello hello … h…",
    ],
    ["{{join list}} {{join list '-'}} {{join list ''}} {{join list five}}", "a, b, c a-b-c abc a5b5c"],
    ["<{{join none '-'}}{{join unknown '-'}}{{join mixed '-'}}>{{join 'x' '-'}}", "<>x"],
    ["{{urlencode 'a b&c/ü?'}} {{urlencode five}}", "a%20b%26c%2F%C3%BC%3F 5"],
    ["{{upper (truncate (join list ' ') 3)}}", "A B…"],
  ])("%j prints %j", (source, expected) => {
    expect(render(source, data)).toBe(expected)
  })

  test("urlencode accepts text with lone surrogates", () => {
    expect(render("{{urlencode v}}", { v: "a\ud800" })).toBe("a%EF%BF%BD")
  })
})

describe("A helper wins over a field of its name (contract A3.3)", () => {
  test.each<Row>([
    ["<{{default}}>{{eq}}", "<>true"],
    ["{{data.default}} {{this.default}} {{./default}} {{@root.default}}", "field shadow shadow shadow"],
    ["{{#with data}}{{this.eq}}{{/with}} {{upper default}} {{#if eq}}field{{/if}}", "field SHADOW field"],
    ["{{default (default) 'x'}}", "x"],
    ["{{#each list as |upper|}}{{upper}}{{/each}}", "abc"],
  ])("%j prints %j", (source, expected) => {
    expect(render(source, data)).toBe(expected)
  })
})

describe("formatDate (contract A3.3)", () => {
  const at = "2026-01-05T09:08:07.123Z"
  test.each<Row>([
    ["{{formatDate at}}", "2026-01-05"],
    [
      "{{formatDate at 'YYYY YY MMMM MMM MM M DD D dddd ddd HH H mm ss'}}",
      "2026 26 January Jan 01 1 05 5 Monday Mon 09 9 08 07",
    ],
    ["{{formatDate at 'DD.MM.YYYY, HH:mm'}}", "05.01.2026, 09:08"],
    ["{{formatDate at 'HH:mm' 'Europe/Oslo'}} {{formatDate at 'DD HH' 'America/Los_Angeles'}}", "10:08 05 01"],
    ["{{formatDate at 'HH:mm' tz='Europe/Oslo'}} {{formatDate at tz='Pacific/Kiritimati'}}", "10:08 2026-01-05"],
    ["{{formatDate '2026-07-01T22:30:00Z' 'D MMM HH:mm' 'Europe/Oslo'}}", "2 Jul 00:30"],
    [
      "{{formatDate ms}} {{formatDate 0 'YYYY-MM-DD HH:mm:ss'}} {{formatDate -1 'YYYY'}}",
      "2026-01-05 1970-01-01 00:00:00 1969",
    ],
    ["{{formatDate '2026-01-31'}} {{formatDate '2024-02-29' 'dddd'}}", "2026-01-31 Thursday"],
    ["{{formatDate '2026-01-31T10:00:00+05:30' 'HH:mm'}} {{formatDate '2026-01-31T10:00' 'HH:mm'}}", "04:30 10:00"],
    ["{{formatDate '2026-01-31 10:00:00Z' 'HH:mm'}} {{formatDate '0001-01-01' 'YYYY dddd'}}", "10:00 0001 Monday"],
    [
      "<{{formatDate unknown}}{{formatDate nothing}}{{formatDate 'soon'}}{{formatDate '41'}}{{formatDate list}}{{formatDate true}}>",
      "<>",
    ],
    [
      "<{{formatDate '2026-02-30'}}{{formatDate '2026-13-01'}}{{formatDate '2026-01-31T25:00Z'}}{{formatDate '31.01.2026'}}>",
      "<>",
    ],
    ["<{{formatDate at 'HH' 'Nowhere/City'}}{{formatDate at 'HH' ''}}{{formatDate at 'HH' 5}}>", "<>"],
    ["<{{formatDate 99999999999999999}}{{formatDate -99999999999999}}>", "<>"],
    ["{{#if (formatDate 'soon')}}a{{else}}b{{/if}} {{default (formatDate 'soon') 'never'}}", "b never"],
  ])("%j prints %j", (source, expected) => {
    expect(render(source, { ...data, at, ms: Date.parse(at) })).toBe(expected)
  })

  test.each([
    ["en", "January Jan Saturday Sat"],
    ["nl", "januari jan zaterdag za"],
    ["fr", "janvier janv. samedi sam."],
    ["de", "Januar Jan Samstag Sa"],
    ["pt", "janeiro jan. sábado sáb."],
    ["es", "enero ene sábado sáb"],
    ["it", "gennaio gen sabato sab"],
    ["sv", "januari jan. lördag lör"],
    ["pl", "styczeń sty sobota sob."],
    ["ja", "1月 1月 土曜日 土"],
    ["zh-CN", "一月 1月 星期六 周六"],
  ])("names months and days in %s", (locale, expected) => {
    expect(render("{{formatDate '2026-01-31' 'MMMM MMM dddd ddd'}}", {}, locale)).toBe(expected)
  })

  test("has names, not numbers, in every language", () => {
    for (const language of languages)
      for (const pattern of ["MMMM", "MMM", "D MMMM", "D MMM", "dddd", "ddd"]) {
        const written = render("{{formatDate '2026-03-08' p}}", { p: pattern }, language)
        expect([language, pattern, /\p{L}/u.test(written)]).toEqual([language, pattern, true])
      }
  })

  test("declines months beside a day where a language does", () => {
    expect(render("{{formatDate '2026-01-31' 'D MMMM YYYY'}}", {}, "pl")).toBe("31 stycznia 2026")
    expect(render("{{formatDate '2026-01-31' 'D. MMMM'}}", {}, "cs")).toBe("31. ledna")
    expect(render("{{formatDate '2026-01-31' 'MMMM YYYY'}}", {}, "cs")).toBe("leden 2026")
  })
})

describe("formatNumber (contract A3.3)", () => {
  test.each<Row>([
    [
      "{{formatNumber 1234567.5}} {{formatNumber 1234567.5 2}} {{formatNumber 1234567.5 0}}",
      "1,234,567.5 1,234,567.50 1,234,568",
    ],
    [
      "{{formatNumber 0}} {{formatNumber -1234}} {{formatNumber 0.123456}} {{formatNumber 12 1}} {{formatNumber -0.4 0}}",
      "0 -1,234 0.123456 12.0 0",
    ],
    [
      "<{{formatNumber '12'}}{{formatNumber unknown}}{{formatNumber nothing 2}}{{formatNumber true}}{{formatNumber list}}>",
      "<>",
    ],
    ["<{{formatNumber 1 -1}}{{formatNumber 1 1.5}}{{formatNumber 1 21}}{{formatNumber 1 'x'}}>", "<>"],
  ])("%j prints %j", (source, expected) => {
    expect(render(source, data)).toBe(expected)
  })

  test.each([
    ["en", "1,234,567.50"],
    ["de", "1.234.567,50"],
    ["nl", "1.234.567,50"],
    ["fr", "1\u202f234\u202f567,50"],
    ["sv", "1\u00a0234\u00a0567,50"],
    ["hi", "12,34,567.50"],
    ["ja", "1,234,567.50"],
    ["no language", "1,234,567.50"],
  ])("groups as %s does", (locale, expected) => {
    expect(render("{{formatNumber 1234567.5 2}}", {}, locale)).toBe(expected)
  })
})
