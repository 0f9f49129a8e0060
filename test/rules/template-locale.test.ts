import { describe, expect, test } from "bun:test"
import { languages, pickLocale } from "../../src/mail/render/index.ts"

describe("The language of a mail (contract A7.5)", () => {
  test.each([
    [["de"], "de"],
    [["de-AT"], "de"],
    [["zh-TW"], "zh-TW"],
    [["zh-tw"], "zh-TW"],
    [["pt_BR"], "pt"],
    [[" FR "], "fr"],
    [["xx", "nl"], "nl"],
    [["zh", "nl"], "zh-CN"],
    [["zh-SG"], "zh-CN"],
    [["zh_Hans"], "zh-CN"],
    [["zh-Hans-HK"], "zh-CN"],
    [["zh-Hant"], "zh-TW"],
    [["zh-Hant-HK"], "zh-TW"],
    [["zh-MO"], "zh-HK"],
    [["zh-HK-x-private"], "zh-HK"],
    [["xx-zh", "nl"], "nl"],
    [["", "nl"], "nl"],
    [[undefined, "nl"], "nl"],
    [[null, "sv-SE"], "sv"],
    [[5, "nl"], "nl"],
    [[{ toString: () => "de" }, "nl"], "nl"],
    [["xx", "yy"], "en"],
    [["constructor", "__proto__"], "en"],
    [[], "en"],
  ])("of %j is %s", (wishes, expected) => {
    expect<string>(pickLocale(...wishes)).toBe(expected)
  })

  test("is kept when it is one of the supported languages", () => {
    expect(languages.map((language) => pickLocale(language, "xx"))).toEqual([...languages])
    expect(languages).toHaveLength(17)
  })
})
