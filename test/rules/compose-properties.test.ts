import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { simpleParser } from "mailparser"
import { compose } from "../../src/mail/compose.ts"
import { draftOf } from "../contracts/messages.ts"

// Mail cannot carry half of a surrogate pair, and a reader trims the ends of a header.
const text = (maxLength: number) =>
  fc.oneof(
    fc.string({ unit: "grapheme", maxLength }),
    fc.string({ maxLength }),
    fc.string({ unit: "binary", maxLength }),
  )
const shown = (maxLength: number) =>
  text(maxLength).map((raw) =>
    raw
      .toWellFormed()
      .replace(/[\p{Cc}\p{Cn}\p{Co}\p{Zl}\p{Zp}\ufffd\ufeff]/gu, "")
      .replace(/\s+/g, " ")
      .trim(),
  )
const body = text(400).map((raw) => raw.toWellFormed().replaceAll("\u0000", "").replaceAll("\ufeff", ""))

describe("any message", () => {
  test("is CRLF lines of at most 998 octets, 7-bit clean, and arrives unchanged", async () => {
    const drafts = fc.record({
      subject: shown(200),
      name: shown(80),
      filename: shown(80).filter((name) => name !== "" && !name.includes("=?")),
      header: shown(200),
      plain: body,
      html: body,
      content: fc.uint8Array({ minLength: 1, maxLength: 300 }),
    })
    await fc.assert(
      fc.asyncProperty(drafts, async ({ subject, name, filename, header, plain, html, content }) => {
        const draft = draftOf({
          subject,
          to: { name, address: "ada@example.com" },
          headers: { "X-Note": header.replaceAll("=?", "?=") },
          text: plain,
          html: `<html>${html}</html>`,
          attachments: [
            { filename, contentType: "application/zip", contentId: null, disposition: "attachment", content },
          ],
        })
        const bytes = Buffer.from(compose(draft).mime())
        const lines = bytes.toString("latin1").split("\r\n")
        expect(lines.every((line) => line.length <= 998 && !/[\r\n\u0080-\u00ff]/.test(line))).toBe(true)
        const mail = await simpleParser(bytes, { keepCidLinks: true })
        const lineEnds = (given: string) => given.replace(/\r\n?/g, "\n")
        expect(mail.subject ?? "").toBe(subject)
        expect(mail.to).toMatchObject({ value: [{ name, address: "ada@example.com" }] })
        expect(lineEnds(mail.text ?? "").trimEnd()).toBe(lineEnds(plain).trimEnd())
        expect(lineEnds(String(mail.html)).trimEnd()).toBe(lineEnds(draft.html).trimEnd())
        expect(mail.attachments[0]?.filename).toBe(filename)
        expect(mail.attachments[0]?.content).toEqual(Buffer.from(content))
      }),
      { numRuns: 300 },
    )
  })

  test("has only the given headers, for any values", async () => {
    const hostile = fc.string({
      unit: fc.constantFrom(":", " ", "\t", "a", "=", "?", "<", ">", ",", ";", '"', "\\", "ü", "Q", "_"),
    })
    await fc.assert(
      fc.asyncProperty(hostile, hostile, hostile, async (subject, name, value) => {
        const draft = draftOf({
          subject,
          from: { name: name.replaceAll("\t", ""), address: "hi@shop.test" },
          headers: { "X-Note": `v${value}` },
        })
        const mail = await simpleParser(Buffer.from(compose(draft).mime()))
        const known = ["content-type", "date", "from", "message-id", "mime-version", "subject", "to", "x-note"]
        expect([...new Set(mail.headerLines.map(({ key }) => key))].toSorted()).toEqual(known)
        expect(mail.from?.value.map(({ address }) => address)).toEqual(["hi@shop.test"])
      }),
      { numRuns: 500 },
    )
  })
})
