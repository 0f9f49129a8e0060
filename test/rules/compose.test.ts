import { describe, expect, test } from "bun:test"
import { simpleParser } from "mailparser"
import { DomainError } from "../../src/kernel/errors.ts"
import { asDocument, checkSize, compose, type Draft, messageLimit } from "../../src/mail/compose.ts"
import type { Attachment } from "../../src/mail/transport.ts"
import { draftOf } from "../contracts/messages.ts"

const source = (draft: Draft): string => Buffer.from(compose(draft).mime()).toString("latin1")
const headerOf = (draft: Draft): string => source(draft).split("\r\n\r\n", 1)[0] ?? ""
const unfolded = (draft: Draft): string[] =>
  headerOf(draft)
    .replace(/\r\n(?=[ \t])/g, "")
    .split("\r\n")
const lineOf = (draft: Draft, name: string): string[] =>
  unfolded(draft).filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))

const file = (parts: Partial<Attachment> = {}): Attachment => ({
  filename: "a.txt",
  contentType: "text/plain",
  content: Buffer.from("hello"),
  contentId: null,
  disposition: "attachment",
  ...parts,
})

describe("the headers of a message", () => {
  test("are those of the contract, in the right format", () => {
    const draft = draftOf({
      id: "0199c0de-0000-7000-8000-000000000001",
      messageId: "0199c0de-0000-7000-8000-000000000001@shop.test",
      to: { name: "Ada", address: "ada@example.com" },
      replyTo: "help@shop.test",
    })
    expect(headerOf(draft).split("\r\n")).toEqual([
      "From: Shop <hi@shop.test>",
      "To: Ada <ada@example.com>",
      "Reply-To: help@shop.test",
      "Subject: Your order",
      "Message-ID: <0199c0de-0000-7000-8000-000000000001@shop.test>",
      "Date: Sat, 31 Jan 2026 09:15:00 +0000",
      "MIME-Version: 1.0",
      "Content-Type: multipart/alternative;",
      ' boundary="=_alt_0199c0de-0000-7000-8000-000000000001"',
    ])
  })

  test("have no name where none is given", () => {
    expect(lineOf(draftOf(), "To")).toEqual(["To: <ada@example.com>"])
  })

  test("have the List-Unsubscribe pair when there is a link, and the bulk headers for bulk mail", () => {
    const bulk = draftOf({ listUnsubscribeUrl: "https://mail.test/unsubscribe/tok", bulk: true })
    expect(unfolded(bulk)).toContain("List-Unsubscribe: <https://mail.test/unsubscribe/tok>")
    expect(unfolded(bulk)).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click")
    expect(unfolded(bulk)).toContain("Precedence: bulk")
    expect(unfolded(bulk)).toContain("Auto-Submitted: auto-generated")
    expect(unfolded(bulk)).toContain("X-Auto-Response-Suppress: All")
    expect(headerOf(draftOf())).not.toMatch(/List-Unsubscribe|Precedence|Auto-/)
  })

  test("of the sender override ours, in any case", () => {
    const headers = { PRECEDENCE: "list", "auto-submitted": "no", "x-own": "1" }
    const draft = draftOf({ bulk: true, headers })
    expect(lineOf(draft, "Precedence")).toEqual(["PRECEDENCE: list"])
    expect(lineOf(draft, "Auto-Submitted")).toEqual(["auto-submitted: no"])
    expect(lineOf(draft, "X-Auto-Response-Suppress")).toEqual(["X-Auto-Response-Suppress: All"])
    expect(lineOf(draft, "X-Own")).toEqual(["x-own: 1"])
  })

  test.each(["list-unsubscribe", "LIST-UNSUBSCRIBE-POST"])("one of the pair replaces the pair (%s)", (name) => {
    const draft = draftOf({ listUnsubscribeUrl: "https://mail.test/u/tok", headers: { [name]: "mine" } })
    expect(unfolded(draft).filter((line) => /^list-unsubscribe/i.test(line))).toEqual([`${name}: mine`])
  })

  test("remove ours for an empty one", () => {
    expect(lineOf(draftOf({ bulk: true, headers: { precedence: " " } }), "Precedence")).toEqual([])
  })

  test.each([
    ...[
      "From",
      "SENDER",
      "to",
      "Cc",
      "bcc",
      "Subject",
      "date",
      "Message-Id",
      "Return-Path",
      "Received",
      "Mime-Version",
    ],
    ...["Content-Type", "content-transfer-encoding", "DKIM-Signature", "ARC-Seal", "arc-message-signature"],
  ])("drop headers that a sender may not set: %s", (name) => {
    const draft = draftOf({ headers: { [name]: "forged@example.com", "X-Kept": "yes" } })
    expect(source(draft)).not.toContain("forged")
    expect(lineOf(draft, "X-Kept")).toEqual(["X-Kept: yes"])
    expect(compose(draft).headers.map(([kept]) => kept)).toEqual(["Date", "X-Kept"])
  })

  test.each([
    [{ reply: null, custom: "Help Desk <help@shop.test>" }, "Help Desk <help@shop.test>"],
    [{ reply: null, custom: "Hilfe für alle <help@shop.test>" }, "=?UTF-8?Q?Hilfe_f=C3=BCr_alle?= <help@shop.test>"],
    [{ reply: null, custom: "a@shop.test, b@shop.test" }, "a@shop.test, b@shop.test"],
    [{ reply: "own@shop.test", custom: "help@shop.test" }, "own@shop.test"],
  ])("take Reply-To from the message, else from the sender's header (%o)", ({ reply, custom }, expected) => {
    expect(lineOf(draftOf({ replyTo: reply, headers: { "reply-to": custom } }), "Reply-To")).toEqual([
      `Reply-To: ${expected}`,
    ])
  })

  test("keep a header that needs no encoding unchanged, including quotes and JSON", () => {
    const value = '{"unique_args":{"a":"1"},"category":"x=y"}'
    expect(lineOf(draftOf({ headers: { "X-SMTPAPI": value } }), "X-SMTPAPI")).toEqual([`X-SMTPAPI: ${value}`])
  })

  test("fold long values and never exceed a line of 998 octets", () => {
    const headers = {
      "X-Words": "many words ".repeat(90).slice(0, 998),
      "X-Unbroken": "x".repeat(998),
      "X-Blank": `a${" ".repeat(500)}b`,
      "X-Wide": "ü".repeat(998),
    }
    const draft = draftOf({
      headers,
      subject: "y".repeat(998),
      to: { name: "z".repeat(998), address: "ada@example.com" },
    })
    for (const line of headerOf(draft).split("\r\n")) {
      expect(line.length).toBeLessThanOrEqual(998)
      expect(line.trim()).not.toBe("")
    }
  })
})

describe("header injection", () => {
  const breaks = ["\r\nBcc: evil@example.com", "\nX: y", "\rX: y", "\u0000", "\u001b[2J", "\u007f", "\u0008"]
  const places: readonly [string, (text: string) => Partial<Draft>][] = [
    ["envelopeFrom", (text) => ({ envelopeFrom: `hi${text}@shop.test` })],
    ["from.email", (text) => ({ from: { name: "", address: `hi@shop.test${text}` } })],
    ["from.name", (text) => ({ from: { name: `Shop${text}`, address: "hi@shop.test" } })],
    ["to.email", (text) => ({ to: { name: "", address: `ada@example.com${text}` } })],
    ["to.name", (text) => ({ to: { name: `Ada${text}`, address: "ada@example.com" } })],
    ["reply", (text) => ({ replyTo: `help@shop.test${text}` })],
    ["subject", (text) => ({ subject: `Hello${text}` })],
    ["messageId", (text) => ({ messageId: `id${text}@shop.test` })],
    ["id", (text) => ({ id: `id${text}` })],
    ["listUnsubscribeUrl", (text) => ({ listUnsubscribeUrl: `https://x.test/${text}` })],
    ["headers.X-A", (text) => ({ headers: { "X-A": `b${text}` } })],
    ["headers.X-?", (text) => ({ headers: { [`X-${text[0]}`]: "b" } })],
    ["attachments.0.filename", (text) => ({ attachments: [file({ filename: `a${text}.txt` })] })],
    ["attachments.0.contentType", (text) => ({ attachments: [file({ contentType: `text/plain${text}` })] })],
    ["attachments.0.contentId", (text) => ({ attachments: [file({ contentId: `a${text}`, disposition: "inline" })] })],
  ]

  test.each(places)("is refused in %s, named by the error", (field, parts) => {
    for (const text of breaks) {
      let refusal: unknown
      try {
        compose(draftOf(parts(text)))
      } catch (cause) {
        refusal = cause
      }
      if (!(refusal instanceof DomainError)) throw new Error(`${JSON.stringify(text)} was accepted`)
      expect(refusal.kind).toBe("invalid")
      expect(refusal.extras.errors?.map((one) => one.field)).toEqual([field])
      expect(refusal.message).toMatch(/^[\x20-\x7e]+$/)
    }
  })

  test.each([
    ["a header name with a colon", { headers: { "X:A": "b" } }],
    ["a header name with a space", { headers: { "X A": "b" } }],
    ["a header name that is not ASCII", { headers: { "X-Ü": "b" } }],
    ["an empty header name", { headers: { "": "b" } }],
    ["a header name longer than a line", { headers: { ["X".repeat(2_000)]: "b" } }],
    ["two addresses in one", { to: { name: "", address: "a@example.com, b@example.com" } }],
    ["an address in angle brackets", { from: { name: "", address: "<hi@shop.test>" } }],
    ["no address", { to: { name: "Ada", address: "" } }],
    ["a media type with another header's parts", { attachments: [file({ contentType: "text" })] }],
    ["a content id longer than a line", { attachments: [file({ contentId: "本".repeat(255) })] }],
    ["a content id with brackets", { attachments: [file({ contentId: "a>b", disposition: "inline" as const })] }],
  ])("is refused: %s", (_, parts) => {
    expect(() => compose(draftOf(parts))).toThrow(DomainError)
  })

  test("is not a tab in a subject, a name or a header value", async () => {
    const draft = draftOf({
      subject: "a\tb",
      from: { name: "e\tf", address: "hi@shop.test" },
      headers: { "X-A": "c\td" },
    })
    const mail = await simpleParser(Buffer.from(compose(draft).mime()))
    expect(mail.subject).toBe("a\tb")
    expect(mail.headers.get("x-a")).toBe("c\td")
    expect(mail.from?.value.map(({ name }) => name)).toEqual(["e f"])
  })

  test("is not half a surrogate pair in the name of a file: it arrives as U+FFFD", async () => {
    const mime = compose(draftOf({ attachments: [file({ filename: "a\ud83d.txt" })] })).mime()
    expect((await simpleParser(Buffer.from(mime))).attachments[0]?.filename).toBe("a\ufffd.txt")
  })

  test("may be the null sender of the envelope", () => {
    expect(compose(draftOf({ envelopeFrom: "" })).envelope.from).toBe("")
  })
})

describe("the body of a message", () => {
  const shape = (draft: Draft): string[] =>
    [...source(draft).matchAll(/Content-Type: (multipart\/\w+|[\w/-]+)/g)].map((match) => match[1] ?? "")
  const picture = file({ filename: "p.png", contentType: "image/png", contentId: "pic", disposition: "inline" })

  test.each([
    ["no attachments", [], ["multipart/alternative", "text/plain", "text/html"]],
    ["inline ones", [picture], ["multipart/related", "multipart/alternative", "text/plain", "text/html", "image/png"]],
    ["ordinary ones", [file()], ["multipart/mixed", "multipart/alternative", "text/plain", "text/html", "text/plain"]],
    [
      "both",
      [file({ contentType: "application/zip" }), picture],
      [
        ...["multipart/mixed", "multipart/related", "multipart/alternative", "text/plain", "text/html"],
        ...["image/png", "application/zip"],
      ],
    ],
  ])("has the simplest structure for %s", (_, attachments, expected) => {
    expect(shape(draftOf({ attachments }))).toEqual(expected)
  })

  test("is wrapped in a document when it is a fragment", () => {
    expect(asDocument("<p>Hi</p>")).toMatch(
      /^<!DOCTYPE html>\n<html>\n<head><meta charset="utf-8"><\/head>\n<body>\n<p>Hi<\/p>\n<\/body>/,
    )
    expect(asDocument('<!doctype html><HTML lang="de"><body>Hi')).toBe('<!doctype html><HTML lang="de"><body>Hi')
    expect(compose(draftOf({ html: "<p>Hi</p>" })).html).toBe(asDocument("<p>Hi</p>"))
  })

  test.each([
    "<!DOCTYPE html><p>Hi",
    "<head></head><p>Hi",
    "<BODY>Hi",
    "<body\nclass=a>Hi",
    "<p>Hi</p><!doctype html>",
  ])("is not wrapped again when it is part of a document: %j", (html) => expect(asDocument(html)).toBe(html))

  test.each(["<header>Hi</header>", "<bodyguard>", "<p>html, head and body</p>"])(
    "is wrapped when it is not: %j",
    (html) => expect(asDocument(html)).not.toBe(html),
  )

  test("has text made from the HTML, or the text it is given", () => {
    expect(compose(draftOf({ html: "<p>Hi <b>Ada</b></p>" })).text).toBe("Hi Ada")
    expect(compose(draftOf({ html: "<p>Hi</p>", text: "Hello" })).text).toBe("Hello")
    expect(compose(draftOf({ html: "<p>Hi</p>", text: "" })).text).toBe("")
    expect(compose(draftOf({ html: '<img src="a.png">', subject: "Spring" })).text).toBe("Spring")
  })

  test("is unencoded for short lines of ASCII, else quoted-printable, else base64", () => {
    const encodings = (html: string, text: string) =>
      [...source(draftOf({ html: `<html>${html}</html>`, text })).matchAll(/Transfer-Encoding: (\S+)/g)].map(
        (match) => match[1],
      )
    expect(encodings("<p>short</p>", "short")).toEqual(["7bit", "7bit"])
    expect(encodings("long ".repeat(100), "für alle, die es angeht")).toEqual(["quoted-printable", "quoted-printable"])
    expect(encodings("日本語のメール".repeat(20), "сообщение")).toEqual(["base64", "base64"])
    expect(encodings("nul \u0000", "bare \r return")).toEqual(["7bit", "quoted-printable"])
  })

  test("cannot contain a boundary", async () => {
    const draft = draftOf()
    const text = `before\r\n--=_alt_${draft.id}--\r\nafter`
    const mail = await simpleParser(Buffer.from(compose({ ...draft, text }).mime()))
    expect(mail.text?.trimEnd()).toBe(text.replaceAll("\r\n", "\n"))
  })

  test.each<[string, string, string[]]>([
    ["a.txt", "text/plain", ['name="a.txt"', 'filename="a.txt"']],
    ["a; b.txt", "text/plain", ['name="a; b.txt"', 'filename="a; b.txt"']],
    ["grüße.txt", "text/plain", ["filename*=utf-8''gr%C3%BC%C3%9Fe.txt"]],
    ['a"b.txt', "text/plain", ["filename*=utf-8''a%22b.txt"]],
    ["=?utf-8?Q?x?=", "text/plain", ["filename*=utf-8''%3D%3Futf-8%3FQ%3Fx%3F%3D"]],
    ["b.txt", "text/plain; name=c.txt; charset=utf-8", ["charset=utf-8", 'name="b.txt"', 'filename="b.txt"']],
    [
      "é".repeat(20),
      "text/plain",
      [
        `filename*0*=utf-8''${"%C3%A9".repeat(8)}`,
        `filename*1*=${"%C3%A9".repeat(9)}`,
        `filename*2*=${"%C3%A9".repeat(3)}`,
      ],
    ],
  ])("names the file %j once, in a form that every program reads", (filename, contentType, parameters) => {
    const [, part = ""] = source(draftOf({ attachments: [file({ filename, contentType })] })).split(
      /--=_mix_\S+\r\nContent-Type: text\/plain/,
    )
    const [head = ""] = part.split("\r\n\r\n", 1)
    expect(
      head
        .split(/;?\r\n /)
        .slice(1)
        .map((line) => line.split("\r\n", 1)[0]),
    ).toEqual(parameters)
    expect(head).not.toContain("=?")
  })

  const id = "0199c0de-0000-7000-8000-000000000001"
  const forwarded = (content: string, contentType = "message/rfc822") =>
    draftOf({
      id,
      attachments: [file({ filename: "old.eml", contentType, content: Buffer.from(content) }), file()],
    })

  test("sends an attached message as it is, because its encoding is not allowed (contract A7.2.5)", async () => {
    const old = "Subject: x\r\n\r\n.\r\nhi  \r\n"
    expect(shape(forwarded(old)).slice(-2)).toEqual(["message/rfc822", "text/plain"])
    expect(source(forwarded(old))).toContain(`filename="old.eml"\r\n\r\n${old}\r\n--`)
    const { attachments } = await simpleParser(source(forwarded(old)))
    expect(attachments.map(({ filename, content }) => [filename, content.toString()])).toEqual([
      ["old.eml", old],
      ["a.txt", "hello"],
    ])
  })

  test.each([
    ["characters beyond ASCII", "Subject: ä\r\n\r\nhi"],
    ["line ends other than CRLF", "Subject: x\n\nhi"],
    ["a long line", `Subject: x\r\n\r\n${"x".repeat(999)}`],
    ["our boundary", `Subject: x\r\n\r\n--=_mix_${id}`],
  ])("sends an attached message with %s as a file of unknown type (contract A7.2.5)", (_, content) => {
    expect(shape(forwarded(content)).at(-2)).toBe("application/octet-stream")
    expect(source(forwarded(content))).toContain('filename="old.eml"')
  })

  test("sends no other composite type as an attachment, because its encoding is not allowed for those (contract A7.2.5)", () => {
    for (const type of ["multipart/mixed", "message/partial", "message/rfc822x"])
      expect(shape(forwarded("Subject: x\r\n\r\nhi", type)).at(-2)).toBe("application/octet-stream")
  })
})

describe("the bytes of a message", () => {
  test("are made once, and the same for the same draft", () => {
    const draft = draftOf({ attachments: [file()] })
    const message = compose(draft)
    expect(message.mime()).toBe(message.mime())
    expect(Buffer.from(compose(draft).mime())).toEqual(Buffer.from(message.mime()))
    expect(source({ ...draft, id: "other" })).not.toBe(source(draft))
  })

  test("pass a signer last, once", async () => {
    let calls = 0
    const unsigned = { options: { domain: "shop.test", keys: [], at: 0 } }
    const sign = (mime: Uint8Array) => {
      calls++
      return Buffer.concat([Buffer.from("DKIM-Signature: x\r\n"), mime])
    }
    const message = compose(draftOf(), { ...unsigned, sign, signOnThread: async (mime) => sign(mime) })
    expect(Buffer.from(message.mime()).toString().startsWith("DKIM-Signature: x\r\nFrom: ")).toBe(true)
    message.mime()
    await message.bytes()
    expect(calls).toBe(1)
  })

  test("may be 40 MB and no more", () => {
    const half = file({ contentType: "application/zip", content: new Uint8Array(messageLimit * 0.36) })
    expect(() => checkSize(compose(draftOf({ attachments: [half, half] })))).not.toThrow()
    expect(() => checkSize(compose(draftOf({ attachments: [half, half, half] })))).toThrow(DomainError)
    expect(() => checkSize(compose(draftOf({ html: "=".repeat(messageLimit / 2.8), text: "" })))).toThrow("40 MB")
    expect(() => checkSize(compose(draftOf()))).not.toThrow()
  })
})
