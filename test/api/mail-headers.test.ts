import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import libmime from "libmime"
import { type ParsedMail, simpleParser } from "mailparser"
import type { Mail } from "../../src/modules/emails/accept/accept.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { accept, fromCampaign, fromWorkflow, rowOf } from "../harness/mails.ts"
import { createTemplate } from "../harness/templates.ts"

const baseUrl = "https://mail.acme.test/mailstead"
const plain = { to: "ada@example.com", from: "hi@acme.test", subject: "Hi", body: "<p>Hi</p>" }

let it: TestApp
beforeAll(async () => {
  it = await startTestApp({ settings: { "http.base_url": baseUrl } })
  await it.app.domains.add(it.project.id, "shop.test", { vouched: true })
  await it.api("POST /v1/track", { body: { email: "ada@example.com", event: "e" } })
})
afterAll(() => it.close())

interface Left {
  readonly id: string
  readonly raw: string
  readonly parsed: ParsedMail
  /** Every value of a header field, unfolded but not decoded. */
  header(name: string): string[]
  /** The names of all header fields, in lower case, sorted. */
  readonly names: string[]
}

/** A sent message, parsed independently. */
async function left(id: string): Promise<Left> {
  await it.settle()
  const message = it.sent().find((one) => one.id === id)
  if (message === undefined) throw new Error(`${id} has not left`)
  const raw = Buffer.from(message.mime())
  const parsed = await simpleParser(raw, { keepCidLinks: true })
  const lines = parsed.headerLines.map(({ line }) => line.replace(/\r?\n(?=[ \t])/g, ""))
  return {
    id,
    raw: raw.toString(),
    parsed,
    header: (name) =>
      lines
        .filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
        .map((line) => line.slice(name.length + 1).trim()),
    names: parsed.headerLines.map(({ key }) => key).toSorted(),
  }
}

async function leave(body: object): Promise<Left> {
  const answer = await it.api("POST /v1/send", { body: { ...plain, ...body } })
  expect([answer.status, answer.body.error]).toEqual([200, undefined])
  return left(answer.body.data.emails[0].email)
}

const bare = ["content-type", "date", "from", "message-id", "mime-version", "subject", "to"]
const pair = ["list-unsubscribe", "list-unsubscribe-post"]
const bulk = ["auto-submitted", "precedence", "x-auto-response-suppress"]

describe("The headers of every message (contract A7.1)", () => {
  test("are these and no others", async () => {
    const { names, header, id } = await leave({})
    expect(names).toEqual(bare)
    expect(header("From")).toEqual(["Acme <hi@acme.test>"])
    expect(header("To")).toEqual(["<ada@example.com>"])
    expect(header("Subject")).toEqual(["Hi"])
    expect(header("MIME-Version")).toEqual(["1.0"])
    expect(header("Message-ID")).toEqual([`<${id}@acme.test>`])
    expect(Date.parse(header("Date")[0] ?? "")).toBe(it.clock.now())
  })

  test("have the Message-ID in the sender's domain, and the record has it without brackets", async () => {
    const { id, header } = await leave({ from: "shop@shop.test" })
    expect(header("Message-ID")).toEqual([`<${id}@shop.test>`])
    expect((await it.api(`GET /emails/${id}`)).body.messageId).toBe(`${id}@shop.test`)
  })

  test("have the time when the message was accepted, not sent", async () => {
    const at = it.clock.now()
    const { body } = await it.api("POST /v1/send", { body: plain })
    await it.clock.advance(5_000)
    const { header } = await left(body.data.emails[0].email)
    expect(Date.parse(header("Date")[0] ?? "")).toBe(at)
  })

  test("arrive unchanged in any script, as lines of ASCII", async () => {
    const names = { to: { name: "Ada Łovelace, Countess", email: "ada@example.com" }, from: "hi@acme.test" }
    const { parsed, raw, header } = await leave({
      ...names,
      name: '"Die" Läden <GmbH>',
      subject: "Grüße 💌 {{who}}",
      data: { who: { value: "ἀγάπη", persistent: false } },
      headers: { "X-Note": "schön 漢字" },
    })
    expect(parsed.to).toMatchObject({ value: [{ name: names.to.name, address: "ada@example.com" }] })
    expect(parsed.from?.value).toEqual([{ name: '"Die" Läden <GmbH>', address: "hi@acme.test" }])
    expect(parsed.subject).toBe("Grüße 💌 ἀγάπη")
    expect(libmime.decodeWords(header("X-Note")[0] ?? "")).toBe("schön 漢字")
    expect(raw.slice(0, raw.indexOf("\r\n\r\n"))).toMatch(/^[\t\r\n\x20-\x7e]+$/)
  })
})

const fromTemplate = { subject: undefined, body: undefined, from: undefined }

describe("The List-Unsubscribe pair and the bulk headers (contract A7.1.1)", () => {
  test.each<[string, object, string[]]>([
    ["a body without links", { body: "<p>unsubscribeUrl \\{{unsubscribeUrl}}</p>" }, []],
    ["a body with unsubscribeUrl", { body: '<a href="{{unsubscribeUrl}}">Leave</a>' }, pair],
    ["a body with manageUrl", { body: "<p>{{{manageUrl}}}</p>" }, pair],
    ["a body with either of them in a branch not taken", { body: "{{#if never}}{{manageUrl}}{{/if}}" }, pair],
    ["a body with subscribeUrl", { body: '<a href="{{subscribeUrl}}">Join</a>' }, []],
    ["a subject with unsubscribeUrl", { subject: "{{unsubscribeUrl}}" }, []],
    ["data of that name", { body: "{{data.unsubscribeUrl}}", data: { list: "unsubscribeUrl" } }, []],
  ])("of %s", async (_, body, expected) => {
    const { names } = await leave(body)
    expect(names.filter((name) => [...pair, ...bulk].includes(name))).toEqual(expected)
  })

  test.each<["MARKETING" | "HEADLESS" | "TRANSACTIONAL", string, string[]]>([
    ["MARKETING", "<p>News</p>", [...pair, ...bulk].toSorted()],
    ["HEADLESS", "<p>News</p>", []],
    ["HEADLESS", "<p>{{unsubscribeUrl}}</p>", pair],
    ["TRANSACTIONAL", "<p>News</p>", []],
    ["TRANSACTIONAL", "<p>{{manageUrl}}</p>", pair],
  ])("of a %s template with %s", async (type, body, expected) => {
    const { id: template } = await createTemplate(it, { type, body })
    const { names } = await leave({ ...fromTemplate, template })
    expect(names.filter((name) => [...pair, ...bulk].includes(name))).toEqual(expected)
  })

  test.each<[string, Partial<Mail>, string[]]>([
    ["a campaign", { type: "MARKETING", source: fromCampaign }, [...pair, ...bulk].toSorted()],
    ["a campaign of type HEADLESS", { type: "HEADLESS", source: fromCampaign }, [...pair, ...bulk].toSorted()],
    ["a campaign of type TRANSACTIONAL", { source: fromCampaign }, bulk],
    ["a workflow", { type: "MARKETING", source: fromWorkflow }, [...pair, ...bulk].toSorted()],
    ["a workflow of type HEADLESS", { type: "HEADLESS", source: fromWorkflow }, ["auto-submitted"]],
    ["a workflow of type TRANSACTIONAL", { source: fromWorkflow }, ["auto-submitted"]],
  ])("of %s", async (_, mail, expected) => {
    const [id = ""] = await accept(it, mail, "ada@example.com")
    const { names } = await left(id)
    expect(names.filter((name) => [...pair, ...bulk].includes(name))).toEqual(expected)
  })

  test("have the values of the contract, with the recipient's own link", async () => {
    const { id: template } = await createTemplate(it, { type: "MARKETING", body: "<p>[{{unsubscribeUrl}}]</p>" })
    const { header, parsed, id } = await leave({ ...fromTemplate, template })
    const [url = ""] = header("List-Unsubscribe").map((value) => value.slice(1, -1))
    expect(header("List-Unsubscribe")).toEqual([`<${url}>`])
    expect(url).toStartWith(`${baseUrl}/unsubscribe/`)
    expect(url.slice(`${baseUrl}/unsubscribe/`.length)).toMatch(/^[\w-]{20,}$/)
    expect(parsed.text).toContain(`[${url}]`)
    expect(header("List-Unsubscribe-Post")).toEqual(["List-Unsubscribe=One-Click"])
    expect(header("Precedence")).toEqual(["bulk"])
    expect(header("List-Id")).toEqual([`Acme <${it.project.id}.acme.test>`])
    expect(header("Auto-Submitted")).toEqual(["auto-generated"])
    expect(header("X-Auto-Response-Suppress")).toEqual(["All"])
    const { contactId } = await rowOf(it, id)
    const token = url.slice(url.lastIndexOf("/") + 1)
    for (const revealed of [token, Buffer.from(token, "base64url").toString("latin1")]) {
      expect(revealed).not.toContain("ada")
      expect(revealed).not.toContain(contactId ?? "")
    }
    const { header: again } = await leave({ ...fromTemplate, template, to: "bo@example.com", subscribed: true })
    expect(again("List-Unsubscribe")[0]).toStartWith(`<${baseUrl}/unsubscribe/`)
    expect(again("List-Unsubscribe")).not.toEqual(header("List-Unsubscribe"))
  })
})

describe("Custom headers", () => {
  const market = async (headers: object) => {
    const { id: template } = await createTemplate(it, { type: "MARKETING" })
    return leave({ ...fromTemplate, template, headers })
  }

  test("name a list in any script, with its identifier as it is (RFC 2919, 3)", async () => {
    const { header } = await leave({ headers: { "List-Id": "Ünïcode news <l.acme.test>" } })
    expect(header("List-Id")).toEqual([expect.stringMatching(/^=\?UTF-8\?\S+\?= <l\.acme\.test>$/)])
    expect(libmime.decodeWords(header("List-Id")[0] ?? "")).toBe("Ünïcode news <l.acme.test>")
  })

  test.each([
    ["jörg@acme.test", "=?UTF-8?Q?j=C3=B6rg=40acme=2Etest?="],
    ["help@bücher.test", "help@xn--bcher-kva.test"],
    ["Jörg <help@bücher.test>, b@acme.test", "=?UTF-8?Q?J=C3=B6rg?= <help@xn--bcher-kva.test>, b@acme.test"],
    // Encoded by its sender: within quotes it would not be read (RFC 2047, 5).
    ["=?utf-8?Q?J=C3=B6rg?= <help@acme.test>", "=?utf-8?Q?J=C3=B6rg?= <help@acme.test>"],
  ])("Reply-To is ASCII, as servers without SMTPUTF8 need it: %s", async (written, sent) => {
    const { raw, header } = await leave({ headers: { "Reply-To": written } })
    expect(header("Reply-To")).toEqual([sent])
    expect([...raw].every((letter) => letter < "\x80")).toBe(true)
  })

  test("of links are ASCII as addresses are, so that programs find the link (RFC 2369, 2)", async () => {
    const link = "<https://acme.test/abmelden?wer=jörg>, <mailto:leave@acme.test>"
    const { header } = await leave({ headers: { "List-Unsubscribe": link } })
    expect(header("List-Unsubscribe")).toEqual(["<https://acme.test/abmelden?wer=j%C3%B6rg>, <mailto:leave@acme.test>"])
  })

  test.each(["Disposition-Notification-To", "Return-Receipt-To", "Errors-To"])(
    "%s keeps its address where the name of its owner is beyond ASCII (RFC 2047, 5)",
    async (name) => {
      const { header } = await leave({ headers: { [name]: "Jörg <help@acme.test>" } })
      expect(header(name)).toEqual(["=?UTF-8?Q?J=C3=B6rg?= <help@acme.test>"])
    },
  )

  test.each([
    '"=?UTF-8?Q?J=C3=B6rg?=" <help@acme.test>',
    '=?UTF-8?Q?J=C3=B6rg?= <help@acme.test>, "=?UTF-8?Q?J=C3=B6?=" <jo@acme.test>',
    '"What =?" <help@acme.test>',
  ])("of addresses for receipts keep those beside an encoded word in quotes: %s", async (written) => {
    const receipts = "Disposition-Notification-To"
    const { header } = await leave({ headers: { "Reply-To": written, [receipts]: written } })
    expect(header(receipts)).toEqual(header("Reply-To"))
    expect(header(receipts)[0]?.match(/<[^<>]+>/g)).toEqual(written.match(/<[^<>]+>/g))
  })

  test("are sent unchanged", async () => {
    const { header, names } = await leave({
      headers: { "X-Tag": "a", "x-tag-2": " padded ", "In-Reply-To": "<1@acme.test>", Importance: "high" },
    })
    expect(names).toEqual([...bare, "importance", "in-reply-to", "x-tag", "x-tag-2"].toSorted())
    const own = ["X-Tag", "x-tag-2", "In-Reply-To", "Importance"].flatMap((name) => header(name))
    expect(own).toEqual(["a", "padded", "<1@acme.test>", "high"])
  })

  test("of one name in several cases are one, the first (contract A7.1.2)", async () => {
    const { header } = await market({
      "List-Unsubscribe": "<mailto:leave@acme.test>",
      "in-reply-to": "<1@acme.test>",
      "list-unsubscribe": "<https://acme.test/leave>",
      "In-Reply-To": "<2@acme.test>",
    })
    expect(header("List-Unsubscribe")).toEqual(["<mailto:leave@acme.test>"])
    expect(header("In-Reply-To")).toEqual(["<1@acme.test>"])
  })

  test("are not templates", async () => {
    const { header } = await leave({ headers: { "X-Tag": "{{email}} {{#if}}" } })
    expect(header("X-Tag")).toEqual(["{{email}} {{#if}}"])
  })

  test("override ours, in any case (contract A7.1.2)", async () => {
    const { header, names } = await market({
      PRECEDENCE: "list",
      "auto-submitted": "no",
      "X-Auto-Response-Suppress": "OOF",
    })
    expect([header("Precedence"), header("Auto-Submitted")]).toEqual([["list"], ["no"]])
    expect(header("X-Auto-Response-Suppress")).toEqual(["OOF"])
    expect(names.filter((name) => pair.includes(name))).toEqual(pair)
  })

  test.each([
    ["list-unsubscribe", "<mailto:leave@acme.test>"],
    ["List-Unsubscribe-POST", "List-Unsubscribe=One-Click"],
  ])("replace the pair by %s alone (contract A7.1.2)", async (name, value) => {
    const { header, names } = await market({ [name]: value })
    expect(names.filter((one) => pair.includes(one))).toEqual([name.toLowerCase()])
    expect(header(name)).toEqual([value])
  })

  test("are dropped if the sender must not set them, in any case (contract A7.1.3)", async () => {
    const dropped = [
      ...["From", "Sender", "To", "Cc", "Bcc", "Subject", "Date", "Message-ID", "Return-Path", "Received"],
      ...["MIME-Version", "Content-Type", "Content-Transfer-Encoding", "Content-Whatever", "DKIM-Signature"],
      ...["X-SES-CONFIGURATION-SET", "X-SES-MESSAGE-TAGS", "X-PM-Metadata-mailstead-email"],
      ...["ARC-Seal", "ARC-Message-Signature", "ARC-Authentication-Results"],
    ]
    for (const spelled of [(name: string) => name, (name: string) => name.toLowerCase()]) {
      const forged = Object.fromEntries(dropped.map((name) => [spelled(name), "forged@example.com"]))
      const { names, raw, id } = await leave({ headers: { ...forged, "X-Kept": "yes" } })
      expect(names).toEqual([...bare, "x-kept"].toSorted())
      expect(raw).not.toContain("forged")
      expect(it.sent().find((message) => message.id === id)?.envelope).toEqual({
        from: "hi@acme.test",
        to: "ada@example.com",
      })
      const { headers } = (await it.api(`GET /emails/${id}`)).body
      expect(JSON.stringify(headers)).not.toContain("forged")
      expect(headers["X-Kept"]).toBe("yes")
    }
  })

  test("are kept if only a prefix matches one of those", async () => {
    const headers = {
      "X-From": "a",
      "To-Do": "b",
      "Received-SPF": "c",
      "Subject-Line": "d",
      Contents: "e",
      Archive: "f",
    }
    const { names } = await leave({ headers })
    expect(names).toEqual([...bare, ...Object.keys(headers).map((name) => name.toLowerCase())].toSorted())
  })
})
