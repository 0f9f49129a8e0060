import { expect, test } from "bun:test"
import type { Attachment } from "../../src/mail/transport.ts"
import { mailDocument } from "../../src/modules/emails/view/mail-document.ts"

const MB = 1_048_576
const image = (contentId: string, bytes: number, contentType = "image/png"): Attachment => ({
  filename: `${contentId}.png`,
  contentType,
  content: new Uint8Array(bytes),
  contentId,
  disposition: "inline",
})
const shown = (html: string, ...attachments: Attachment[]) =>
  mailDocument({ html, text: null, headers: {}, attachments })
const images = (document: string): number => document.split("data:image/").length - 1

test("an image is put where the mail names it, whatever the quotes are", () => {
  const document = shown(
    `<img src="cid:a"><img src='CID:a%2Bb'><p style="background:url(cid:a)">cid:a</p>`,
    image("a", 3),
    image("a+b", 3, "image/gif"),
  )
  expect(document).toBe(
    `<base target="_blank"><img src="data:image/png;base64,AAAA"><img src='data:image/gif;base64,AAAA'>` +
      `<p style="background:url(data:image/png;base64,AAAA)">cid:a</p>`,
  )
})

test("references to anything but an image of the mail are unchanged", () => {
  const html = `<img src="cid:page"><img src="cid:unknown"><img src="cid:%zz">`
  expect(shown(html, image("page", 3, "text/html"))).toBe(`<base target="_blank">${html}`)
})

test("a large image that is named a thousand times is inlined once", () => {
  const document = shown('<img src="cid:a">'.repeat(1_000), image("a", MB))
  expect(images(document)).toBe(1)
  expect(document.length).toBeLessThan(2 * MB)
})

test("a spacer is shown wherever it is named", () => {
  expect(images(shown('<img src="cid:a">'.repeat(1_000), image("a", 1_000)))).toBe(1_000)
})

test("all images together add at most 25 MB to a document", () => {
  const large = Array.from({ length: 40 }, (_, at) => image(`large${at}`, MB))
  const html = `${large.map(({ contentId }) => `<img src="cid:${contentId}">`).join("")}${'<img src="cid:small">'.repeat(20_000)}`
  const document = shown(html, ...large, image("small", 3_000))
  expect(document.length).toBeLessThan(25 * MB + html.length + 100_000)
  expect(images(document)).toBeGreaterThan(18)
  expect(document).toContain('"cid:large39"')
})

test("an image larger than the budget is not inlined and leaves it to the others", () => {
  const document = shown('<img src="cid:a"><img src="cid:b">', image("a", 20 * MB), image("b", MB))
  expect([document.includes('"cid:a"'), images(document)]).toEqual([true, 1])
})
