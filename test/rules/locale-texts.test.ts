import { describe, expect, test } from "bun:test"
import { type Texts, textsIn } from "../../src/mail/locales/index.ts"
import { type Language, languages } from "../../src/mail/render/index.ts"

const all = (language: Language): [string, string][] => Object.entries(textsIn[language])
const placeholders = (text: string): string[] => (text.match(/\{[^}]*\}/g) ?? []).sort()

test("there are texts in exactly the languages of contract A7.5", () => {
  expect(Object.keys(textsIn).sort()).toEqual([...languages].sort())
})

describe.each(languages.map((language) => [language] as const))("In %s", (language) => {
  test("every text is there, tidy, and has the names that it has in English", () => {
    expect(
      all(language)
        .map(([key]) => key)
        .sort(),
    ).toEqual(
      all("en")
        .map(([key]) => key)
        .sort(),
    )
    for (const [key, text] of all(language)) {
      expect([key, text]).toEqual([key, text.trim()])
      expect([key, text.length > 1, /[<>&]| {2}|[\t\r\n]/.test(text)]).toEqual([key, true, false])
      expect([key, placeholders(text)]).toEqual([key, placeholders(textsIn.en[key as keyof Texts])])
    }
  })

  test("sentences end as sentences and labels do not", () => {
    const labels: (keyof Texts)[] = ["unsubscribe", "subscribe", "subscribeAgain", "save", "preferences", "yes", "no"]
    for (const label of labels) expect([label, /[.。।!?？]$/.test(textsIn[language][label])]).toEqual([label, false])
    const sentences: (keyof Texts)[] = [
      "footer",
      "noMore",
      "willSend",
      "stillComes",
      "saved",
      "chooseOne",
      "badLinkHelp",
      "gone",
    ]
    for (const one of sentences) expect([one, /[.。।]$/.test(textsIn[language][one])]).toEqual([one, true])
    for (const one of ["askUnsubscribe", "askSubscribe", "stop", "choice"] as const)
      expect([one, /[?？]$/.test(textsIn[language][one])]).toEqual([one, true])
  })

  test("different texts are not equal", () => {
    const { unsubscribe, subscribe, subscribeAgain, yes, no, subscribed, unsubscribed, noMore, willSend } =
      textsIn[language]
    for (const pair of [
      [unsubscribe, subscribe],
      [subscribe, subscribeAgain],
      [yes, no],
      [subscribed, unsubscribed],
      [noMore, willSend],
    ])
      expect(new Set(pair).size).toBe(2)
  })
})

test("no two languages share their sentences, but the two of traditional characters", () => {
  const apart = languages.filter((language) => language !== "zh-HK")
  for (const key of ["footer", "stop", "noMore", "willSend", "stillComes", "choice", "badLinkHelp", "gone"] as const) {
    const texts = apart.map((language) => textsIn[language][key])
    expect([key, new Set(texts).size]).toEqual([key, apart.length])
  }
})

test.each<[Language, RegExp]>([
  ["hi", /\p{Script=Devanagari}/u],
  ["bg", /\p{Script=Cyrillic}/u],
  ["ja", /\p{Script=Hiragana}/u],
  ["zh-TW", /\p{Script=Han}/u],
  ["zh-HK", /\p{Script=Han}/u],
  ["zh-CN", /\p{Script=Han}/u],
])("in %s every text is in the right script", (language, letters) => {
  for (const [key, text] of all(language))
    expect([key, letters.test(text) || /\p{Script=Katakana}|\p{Script=Han}/u.test(text)]).toEqual([key, true])
})

test("simplified and traditional characters do not mix", () => {
  for (const [, text] of all("zh-CN")) expect(text).not.toMatch(/[訂閱們資訊郵這個連結儲擇電發]/)
  for (const language of ["zh-TW", "zh-HK"] as const)
    for (const [, text] of all(language)) expect(text).not.toMatch(/[订阅们资讯邮这个连结择电发]/)
})
