import { expect, test } from "bun:test"
import { footerOf } from "../../src/mail/footer.ts"
import { textFromHtml } from "../../src/mail/html-text.ts"
import { textsIn } from "../../src/mail/locales/index.ts"
import { languages } from "../../src/mail/render/index.ts"

const unsubscribeUrl = "https://mail.example.com/unsubscribe/abc"

test.each(languages.map((language) => [language] as const))(
  "the footer in %s says why, and how to leave",
  (language) => {
    const { html, text } = footerOf({ language, sender: "Acme", unsubscribeUrl })
    expect(html).toContain(`lang="${language}"`)
    expect(html).toContain(`<a href="${unsubscribeUrl}"`)
    expect(html).not.toContain("{sender}")
    expect(text).toContain("Acme")
    expect(text).toEndWith(`\n${textsIn[language].unsubscribe} (${unsubscribeUrl})`)
    expect(textFromHtml(html)).toBe(text)
  },
)

test("it has no link of its own where the body has one, and ends with the postal address", () => {
  const postalAddress = "Acme & Sons, 1 Main Street, Springfield"
  const { html, text } = footerOf({ language: "en", sender: "Acme", unsubscribeUrl, hasLink: true, postalAddress })
  expect(html).not.toContain("<a ")
  expect(html).toContain("<br>Acme &amp; Sons, 1 Main Street, Springfield</div>")
  expect(text).toBe(`You are receiving this email because you are subscribed to news from Acme.\n${postalAddress}`)
  expect(textFromHtml(html)).toBe(text)
})

test("names are escaped in it", () => {
  for (const sender of ["<b>&\"'</b>", "$& $1 $`", "{sender}", "a</div>"]) {
    const { html, text } = footerOf({ language: "en", sender, unsubscribeUrl })
    expect(text).toContain(`news from ${sender}.`)
    expect(html).toContain(`news from ${Bun.escapeHTML(sender)}.`)
    expect(textFromHtml(html)).toBe(text)
  }
})

test("a name that ends with a full stop ends its sentence", () => {
  const { html, text } = footerOf({ language: "en", sender: "Acme Inc.", unsubscribeUrl })
  expect(text).toContain("news from Acme Inc.\n")
  expect(textFromHtml(html)).toBe(text)
  expect(footerOf({ language: "de", sender: "Acme Inc.", unsubscribeUrl }).text).toContain(
    "von Acme Inc. abonniert haben.\n",
  )
})

test("an address with an ampersand stays intact", () => {
  const { html } = footerOf({ language: "en", sender: "Acme", unsubscribeUrl: 'https://a.test/?a=1&b="' })
  expect(html).toContain('href="https://a.test/?a=1&amp;b=&quot;"')
})

test("a name that is written from right to left keeps its marks", () => {
  const { html, text } = footerOf({ language: "en", sender: "חנות <2026>!", unsubscribeUrl })
  expect(html).toContain('news from <span dir="auto">חנות &lt;2026&gt;!</span>.')
  expect(textFromHtml(html)).toBe(text)
})
