import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { eventTable } from "../../src/modules/events/index.ts"
import { executionTable } from "../../src/modules/workflows/index.ts"
import type { TestApp } from "../harness/app.ts"
import { storedEvents } from "../harness/scenarios.ts"
import { reportByPostmark, reportBySes, startReportsApp } from "../harness/sns.ts"

let it: TestApp
beforeAll(async () => {
  ;({ it } = await startReportsApp())
})
afterAll(() => it.close())

const received = () => storedEvents(it, eq(eventTable.name, "email.received"))

const message = ["From: Ada <ada@example.com>", "To: orders@acme.test", "Subject: Hi", "", "Hello, you"].join("\r\n")

/** In the shape of https://docs.aws.amazon.com/ses/latest/dg/receiving-email-notifications-examples.html */
const bySes = (messageId: string, recipients: readonly string[], content: object) =>
  reportBySes(
    it,
    {
      messageId,
      source: "ada@example.com",
      destination: recipients,
      headers: [
        { name: "From", value: "Ada <ada@example.com>" },
        { name: "Subject", value: "Hi" },
      ],
    },
    {
      notificationType: "Received",
      receipt: {
        recipients,
        processingTimeMillis: 222,
        spamVerdict: { status: "PASS" },
        virusVerdict: { status: "PASS" },
        spfVerdict: { status: "GRAY" },
        dkimVerdict: { status: "FAIL" },
        dmarcVerdict: { status: "PASS" },
        action: { type: "SNS", encoding: "UTF-8" },
      },
      ...content,
    },
  )

/** In the shape of https://postmarkapp.com/developer/webhooks/inbound-webhook */
const byPostmark = (MessageID: string, OriginalRecipient: string) => ({
  FromName: "Grace",
  MessageStream: "inbound",
  From: "grace@example.com",
  FromFull: { Email: "grace@example.com", Name: "Grace", MailboxHash: "" },
  ToFull: [{ Email: OriginalRecipient, Name: "Orders", MailboxHash: "" }],
  OriginalRecipient,
  Subject: "A question",
  MessageID,
  Date: "Thu, 5 Apr 2012 16:59:01 +0200",
  TextBody: "How much?",
  HtmlBody: "<p>How <b>much</b>?</p>",
  Headers: [{ Name: "Message-ID", Value: "<question@example.com>" }],
  Attachments: [{ Name: "list.txt", Content: "MSAy", ContentType: "text/plain", ContentLength: 3 }],
})

describe("Mail that a provider has received (contract B9.2.6)", () => {
  test("is stored by SES's notification with its verdicts, once", async () => {
    for (let time = 0; time < 2; time++)
      expect((await bySes("in-1", ["orders@acme.test"], { content: message })).status).toBe(200)
    const events = await received()
    expect(events.length).toBe(1)
    expect(events[0]?.data).toMatchObject({
      from: "ada@example.com",
      fromHeader: "Ada <ada@example.com>",
      to: "orders@acme.test",
      subject: "Hi",
      body: "Hello, you",
      spamVerdict: "PASS",
      virusVerdict: "PASS",
      spfVerdict: "GRAY",
      dkimVerdict: "FAIL",
      dmarcVerdict: "PASS",
    })
    expect((await it.api(`GET /emails/${events[0]?.emailId}`)).body).toMatchObject({
      sourceType: "INBOUND",
      status: "RECEIVED",
      text: "Hello, you",
    })
  })

  test("is stored for each of its recipients, of whom several rules of SES tell, once", async () => {
    const before = (await received()).length
    for (const recipients of [["orders@acme.test"], ["help@acme.test", "orders@acme.test"], ["help@acme.test"]])
      expect((await bySes("in-rules", recipients, { content: message })).status).toBe(200)
    expect((await received()).slice(before).map(({ data }) => data?.to)).toEqual(["orders@acme.test", "help@acme.test"])
  })

  test.each([
    ["in base64", { content: Buffer.from(message).toString("base64") }, "Hello, you"],
    ["without content", {}, ""],
  ])("is taken from SES %s", async (name, content, body) => {
    const before = (await received()).length
    await bySes(`in ${name}`, ["orders@acme.test"], content)
    const events = await received()
    expect(events.length).toBe(before + 1)
    expect(events.at(-1)?.data).toMatchObject({ subject: "Hi", body, hasContent: body !== "" })
  })

  test("is composed of the parts that Postmark sends, with its files", async () => {
    const before = (await received()).length
    for (let time = 0; time < 2; time++)
      expect((await reportByPostmark(it, byPostmark("in-2", "orders@acme.test"))).status).toBe(200)
    const events = await received()
    expect(events.length).toBe(before + 1)
    expect(events.at(-1)?.data).toMatchObject({
      messageId: "question@example.com",
      from: "grace@example.com",
      subject: "A question",
      body: "How much?",
      spamVerdict: null,
    })
    const { body: email } = await it.api(`GET /emails/${events.at(-1)?.emailId}`)
    expect(email.html).toContain("<p>How <b>much</b>?</p>")
    expect(email.attachments).toMatchObject([{ filename: "list.txt", size: 3 }])
  })

  test("is stored when it was forwarded to the address that Postmark gives out, for those it was sent to", async () => {
    const before = (await received()).length
    const hash = "451d9b70cf9364d23ff6f9d51d870251@inbound.postmarkapp.com"
    const people = (...emails: string[]) => emails.map((Email) => ({ Email, Name: "", MailboxHash: "" }))
    const mail = {
      ToFull: people("ada@example.com", "orders@acme.test"),
      CcFull: people("sales@acme.test", "Orders@acme.test"),
    }
    expect((await reportByPostmark(it, { ...byPostmark("in-10", hash), ...mail })).status).toBe(200)
    const recipients = ["orders@acme.test", "sales@acme.test"]
    expect((await received()).slice(before).map(({ data }) => [data?.to, data?.recipients])).toEqual(
      recipients.map((to) => [to, recipients]),
    )
  })

  test("names all whom Postmark says it is to, and the messages that it answers", async () => {
    const people = (...emails: string[]) => emails.map((Email) => ({ Email, Name: "Ä B", MailboxHash: "" }))
    const mail = {
      ...byPostmark("in-9", "orders@acme.test"),
      ToFull: people("sales@example.com", "orders@acme.test", "no address"),
      CcFull: people("boss@example.com", "team@example.com"),
      ReplyTo: '"Help, desk" <help@example.com>',
      Headers: [
        { Name: "In-Reply-To", Value: "<answer@acme.test>" },
        { Name: "References", Value: "<first@example.com> <answer@acme.test>" },
      ],
    }
    expect((await reportByPostmark(it, mail)).status).toBe(200)
    const { body: email } = await it.api(`GET /emails/${(await received()).at(-1)?.emailId}`)
    expect(email).toMatchObject({ toName: "Ä B", replyTo: "help@example.com" })
    expect(email.headers).toMatchObject({
      To: "Ä B <sales@example.com>, Ä B <orders@acme.test>",
      Cc: "Ä B <boss@example.com>, Ä B <team@example.com>",
      "In-Reply-To": "<answer@acme.test>",
      References: "<first@example.com> <answer@acme.test>",
    })
  })

  test("has no judgement of its sender that only the sender wrote, when Postmark sends it whole", async () => {
    const forged = "Authentication-Results: mail.mailstead.test; dmarc=pass"
    const mail = { ...byPostmark("in-7", "orders@acme.test"), RawEmail: `${forged}\r\n${message}` }
    expect((await reportByPostmark(it, mail)).status).toBe(200)
    const { body: email } = await it.api(`GET /emails/${(await received()).at(-1)?.emailId}`)
    expect(email.headers["Authentication-Results"]).toBeUndefined()
    expect(email.headers["X-Original-Authentication-Results"]).toBe("mail.mailstead.test; dmarc=pass")
  })

  test("is stored when Postmark received it by blind copy, which names no recipient", async () => {
    const before = (await received()).length
    expect((await reportByPostmark(it, { ...byPostmark("in-6", "orders@acme.test"), ToFull: [] })).status).toBe(200)
    const events = await received()
    expect([events.length, events.at(-1)?.data]).toEqual([
      before + 1,
      expect.objectContaining({ to: "orders@acme.test" }),
    ])
  })

  test.each([
    [
      "a media type that is none",
      { Attachments: [{ Name: "a", Content: "MSAy", ContentType: "pdf" }] },
      "grace@example.com",
    ],
    [
      "no FromFull",
      { RecordType: "Inbound", FromFull: undefined, From: "Grace <grace@example.com>" },
      "grace@example.com",
    ],
    ["a sender that is no address", { FromFull: { Email: '"a b"@q.test' }, From: "a b" }, "unknown@sender.invalid"],
    ["no sender", { RecordType: "Inbound", FromFull: undefined, From: undefined }, "unknown@sender.invalid"],
  ])("is stored when Postmark sends it with %s", async (what, parts, from) => {
    const before = (await received()).length
    expect((await reportByPostmark(it, { ...byPostmark(`odd ${what}`, "orders@acme.test"), ...parts })).status).toBe(
      200,
    )
    const events = await received()
    expect([events.length, events.at(-1)?.data.from]).toEqual([before + 1, from])
  })

  test.each([
    ["Auto-Submitted", "auto-replied"],
    ["Precedence", "bulk"],
    ["X-Autorespond", "Out of office"],
  ])("is nobody's when Postmark tells of %s, by which a program answers (RFC 3834)", async (Name, Value) => {
    const mail = { ...byPostmark(`auto-${Name}`, "orders@acme.test"), Headers: [{ Name, Value }] }
    expect((await reportByPostmark(it, mail)).status).toBe(200)
    expect((await received()).at(-1)?.contactId).toBe(null)
  })

  test("has files of 35 MB from Postmark, the most that it takes", async () => {
    const size = 35 * 1_048_576
    const Content = Buffer.alloc(size, "0123456789").toString("base64")
    const before = (await received()).length
    const mail = {
      ...byPostmark("in-5", "orders@acme.test"),
      Attachments: [{ Name: "film.bin", Content, ContentType: "video/x" }],
    }
    expect((await reportByPostmark(it, mail)).status).toBe(200)
    const events = await received()
    expect(events.length).toBe(before + 1)
    const { body: email } = await it.api(`GET /emails/${events.at(-1)?.emailId}`)
    expect(email.attachments).toMatchObject([{ filename: "film.bin", size }])
  })

  test.each([
    ["no JSON", "{".repeat(300_000)],
    ["no MessageID", JSON.stringify({ TextBody: "x".repeat(300_000) })],
  ])("is refused when it is large and has %s", async (_, body) => {
    expect((await reportByPostmark(it, body)).status).toBe(400)
  })

  test("goes to a disabled project, where no workflow starts (contract B9.4.5)", async () => {
    const off = await it.app.projects.create("Off")
    await it.app.domains.add(off.id, "off.test", { vouched: true })
    const workflow = await it.api("POST /workflows", {
      key: off.secret,
      body: { name: "Answer", eventName: "email.received" },
    })
    await it.app.workflows.change(off.id, workflow.body.id, { enabled: true })
    await it.app.projects.setDisabled(off.id, "MANUAL")
    const before = (await received()).length
    expect((await reportByPostmark(it, byPostmark("in-7", "hi@off.test"))).status).toBe(200)
    expect((await bySes("in-8", ["hi@off.test"], { content: message })).status).toBe(200)
    await it.settle()
    const events = (await received()).slice(before)
    expect(events.map(({ projectId }) => projectId)).toEqual([off.id, off.id])
    expect(await it.app.store.read.select().from(executionTable)).toEqual([])
  })

  test("for a domain that is nobody's here is not stored", async () => {
    const before = (await received()).length
    expect((await bySes("in-3", ["orders@other.test"], { content: message })).status).toBe(200)
    expect((await reportByPostmark(it, byPostmark("in-4", "orders@other.test"))).status).toBe(200)
    expect((await received()).length).toBe(before)
  })
})
