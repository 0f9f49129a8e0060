import { compose, type Draft } from "../../src/mail/compose.ts"
import type { Outgoing } from "../../src/mail/transport.ts"

let count = 0

/** A small message; `parts` overrides what a test needs. */
export function draftOf(parts: Partial<Draft> = {}): Draft {
  const id = `0199c0de-0000-7000-8000-${(++count).toString(16).padStart(12, "0")}`
  return {
    id,
    projectId: "0199c0de-0000-7000-8000-aaaaaaaaaaaa",
    stream: "transactional",
    envelopeFrom: "hi@shop.test",
    from: { name: "Shop", address: "hi@shop.test" },
    to: { name: "", address: "ada@example.com" },
    replyTo: null,
    subject: "Your order",
    html: "<p>It is on its way.</p>",
    headers: {},
    attachments: [],
    list: null,
    listUnsubscribeUrl: null,
    bulk: false,
    date: Date.UTC(2026, 0, 31, 9, 15),
    messageId: `${id}@shop.test`,
    ...parts,
  }
}

export const messageTo = (address: string, parts: Partial<Draft> = {}): Outgoing =>
  compose(draftOf({ to: { name: "", address }, ...parts }))

/** A message with all content that a faulty transport could corrupt. */
export function richDraft(address: string): Draft {
  const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7 + (index >> 8)) % 256)
  return draftOf({
    from: { name: 'Łódź "Shop", Inc.', address: "hi@shop.test" },
    to: { name: "Ada Lövelace ✉", address },
    replyTo: "help@shop.test",
    subject: `Größe „XL“ – 日本語 ${"sehr lang ".repeat(20)}🚀`,
    html: `<html><body>\n.\n..two dots\n<p>ümläut ${"long-line ".repeat(300)}</p>\n.\n<img src="cid:logo">\n</body></html>`,
    text: `.\n..\n.leading dots\n${"x".repeat(2_000)}\ntrailing space \n=3D stays\nFrom the start\n.`,
    headers: { "X-Tag": "a; b=c", "X-Note": "schöne Grüße", References: "<a@b.test> <c@d.test>" },
    attachments: [
      { filename: "logo.png", contentType: "image/png", contentId: "logo", disposition: "inline", content: bytes },
      {
        filename: "Übersicht 1.pdf",
        contentType: "application/pdf",
        contentId: null,
        disposition: "attachment",
        content: bytes,
      },
      {
        filename: "dots.txt",
        contentType: "text/plain",
        contentId: null,
        disposition: "attachment",
        content: Buffer.from(".\r\n.\r\n..\r\n\r\n.\r\n"),
      },
    ],
    listUnsubscribeUrl: "https://mailstead.test/unsubscribe/abc_DEF-123",
    bulk: true,
  })
}
