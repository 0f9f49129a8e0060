import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { generateKeyPairSync, type KeyObject } from "node:crypto"
import { encode } from "dns-packet"
import { dkimSign, sealMessage } from "mailauth"
import { dkimSigner } from "../../src/mail/dkim.ts"
import { findOriginal, rawMessageTable } from "../../src/modules/originals/index.ts"
import { signUp } from "../harness/accounts.ts"
import { startTestApp } from "../harness/app.ts"
import type { ZoneRecord } from "../harness/dns-server.ts"
import { type IncomingApp, shop, startIncomingApp } from "../harness/incoming.ts"
import { until } from "../harness/store.ts"

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 })
const short = generateKeyPairSync("rsa", { modulusLength: 512 })
const txt = (value: string): ZoneRecord => ["TXT", value.match(/.{1,255}/g) ?? [], 1]
const recordOf = (key: KeyObject): ZoneRecord =>
  txt(`v=DKIM1; k=rsa; p=${key.export({ type: "spki", format: "der" }).toString("base64")}`)

/** Domains of senders: `good` allows this machine and signs, `strict` allows nobody, `silent` publishes nothing. */
const senders: IncomingApp["dns"]["zone"] = {
  "good.example.com": [txt("v=spf1 ip4:127.0.0.1 -all")],
  "s1._domainkey.good.example.com": [recordOf(publicKey)],
  "short._domainkey.good.example.com": [recordOf(short.publicKey)],
  "_dmarc.good.example.com": [txt("v=DMARC1; p=reject")],
  "strict.example.com": [txt("v=spf1 -all")],
  "_dmarc.strict.example.com": [txt("v=DMARC1; p=reject")],
  "_dmarc.flaky.example.com": [txt("v=DMARC1; p=reject")],
}

let app: IncomingApp
beforeAll(async () => {
  app = await startIncomingApp()
  app.dns.zone = { ...app.dns.zone, ...senders }
})
afterAll(() => app[Symbol.asyncDispose]())

const messageFrom = (from: string, ...headers: readonly string[]): string =>
  [
    `From: ${from}`,
    `To: Support <support@${shop}>`,
    "Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=",
    "Message-ID: <1@mua.example.com>",
    ...headers,
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain; charset=utf-8",
    "",
    "Hello there",
    "--b",
    'Content-Type: application/pdf; name="a.pdf"',
    'Content-Disposition: attachment; filename="a.pdf"',
    "Content-Transfer-Encoding: base64",
    "",
    "JVBERi0=",
    "--b--",
    "",
  ].join("\r\n")

const signedBy = (domain: string, message: string): string =>
  Buffer.from(
    dkimSigner({ domain, keys: [{ selector: "s1", algorithm: "rsa", privateKey }], at: Date.UTC(2026, 0, 31) }).sign(
      Buffer.from(message),
    ),
  ).toString()

/** Delivers a message; resolves to its record and its event. */
async function receive(message: string, mailFrom: string, to: string | readonly string[] = `support@${shop}`) {
  const { text, code } = await app.deliver(mailFrom, to, message)
  expect([code, text]).toEqual([250, expect.stringMatching(/^250 2\.0\.0 [0-9a-f-]{36}$/)])
  const id = text.slice("250 2.0.0 ".length)
  await app.it.settle()
  const event = (await app.events("email.received")).find(({ emailId }) => emailId === id)
  if (event === undefined) throw new Error("There is no event")
  return { id, event, email: (await app.it.api(`GET /emails/${id}`)).body }
}

describe("Mail to a verified domain (contract B9.6.3)", () => {
  test("is a record, with text and attachments", async () => {
    const { email } = await receive(messageFrom("Ada <Ada@good.example.com>"), "ada@good.example.com")
    expect(email).toMatchObject({
      sourceType: "INBOUND",
      status: "RECEIVED",
      from: "ada@good.example.com",
      fromName: "Ada",
      to: `support@${shop}`,
      toName: "Support",
      subject: "Grüße",
      messageId: "1@mua.example.com",
      text: "Hello there",
      attachments: [{ filename: "a.pdf", contentType: "application/pdf", size: 5 }],
      sentAt: null,
    })
  })

  test("is the event `email.received`, with exactly these fields", async () => {
    const { event } = await receive(messageFrom("Ada <Ada@good.example.com>"), "ada@good.example.com")
    expect(event.data).toEqual({
      messageId: "1@mua.example.com",
      from: "ada@good.example.com",
      fromHeader: "Ada <Ada@good.example.com>",
      to: `support@${shop}`,
      subject: "Grüße",
      timestamp: new Date(app.it.clock.now()).toISOString(),
      recipients: [`support@${shop}`],
      hasContent: true,
      body: "Hello there",
      spamVerdict: null,
      virusVerdict: null,
      spfVerdict: "PASS",
      dkimVerdict: "GRAY",
      dmarcVerdict: "PASS",
      arcVerdict: "GRAY",
      processingTimeMillis: 0,
    })
  })

  test("has the text of its HTML in the event when its own text is blank", async () => {
    const parts = "--b\r\n\r\n \r\n--b\r\nContent-Type: text/html\r\n\r\n<b>Hello</b>\r\n--b--\r\n"
    const head = "From: ada@good.example.com\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n"
    const { event } = await receive(head + parts, "ada@good.example.com")
    expect([event.data.body, event.data.hasContent]).toEqual(["Hello", true])
  })

  test("makes its author a contact that is not subscribed, and leaves a known one as it is", async () => {
    await app.it.api("POST /contacts", { body: { email: "bob@good.example.com", subscribed: true } })
    for (const [name, subscribed] of [
      ["new", false],
      ["bob", true],
    ]) {
      const { email, event } = await receive(messageFrom(`${name}@good.example.com`), `${name}@good.example.com`)
      const contact = (await app.it.api(`GET /contacts/${email.contactId}`)).body
      expect([contact.email, contact.subscribed, event.contactId]).toEqual([
        `${name}@good.example.com`,
        subscribed,
        email.contactId,
      ])
    }
  })

  test.each([
    ["without a sender", "", "bounces@robot.example.com", []],
    ["that a program answered", "auto@robot.example.com", "auto@robot.example.com", ["Auto-Submitted: auto-replied"]],
    ["that a program made", "cron@robot.example.com", "cron@robot.example.com", ["Auto-Submitted: auto-generated"]],
    ["of an old vacation program", "old@robot.example.com", "old@robot.example.com", ["Precedence: bulk"]],
    ["of another autoresponder", "auto2@robot.example.com", "auto2@robot.example.com", ["X-Autoreply: yes"]],
  ])("%s is kept, and is nobody's, so that nothing answers it (RFC 3834)", async (_, mailFrom, from, headers) => {
    const { email, event } = await receive(messageFrom(from, ...headers), mailFrom)
    expect([email.status, email.contactId, event.contactId]).toEqual(["RECEIVED", null, null])
    const { body } = await app.it.api(`GET /contacts?search=${from}`)
    expect(body.data).toEqual([])
  })

  test("for several recipients is one record and one event for each", async () => {
    const to = [`support@${shop}`, `sales@${shop}`, `press@${shop}`]
    const { id, email } = await receive(messageFrom("ada@good.example.com"), "ada@good.example.com", to)
    expect(email.to).toBe(`support@${shop}`)
    const { body } = await app.it.api(`GET /inbox/${id}`)
    expect(body.recipients.map((one: { to: string; addressedBy: string }) => [one.to, one.addressedBy])).toEqual([
      [`support@${shop}`, "TO"],
      [`sales@${shop}`, "BCC"],
      [`press@${shop}`, "BCC"],
    ])
    const events = (await app.events("email.received")).slice(-3)
    expect(events.map(({ data }) => [data.to, data.recipients])).toEqual(to.map((one) => [one, to]))
    for (const { emailId } of events)
      expect((await app.it.api(`GET /emails/${emailId}`)).body).toMatchObject({ text: "Hello there" })
  })

  test("goes to the inbox of the project of its domain, and to no other", async () => {
    const other = await app.it.app.projects.create("Other")
    await app.it.app.domains.add(other.id, "other.test", { vouched: true })
    const to = [`support@${shop}`, "ada@other.test"]
    await receive(messageFrom("ada@good.example.com"), "ada@good.example.com", to)
    const events = (await app.events("email.received")).slice(-2)
    expect(events.map(({ projectId, data }) => [projectId, data.to, data.recipients])).toEqual([
      [app.it.project.id, `support@${shop}`, [`support@${shop}`]],
      [other.id, "ada@other.test", ["ada@other.test"]],
    ])
  })

  test("stays whole when the project of another recipient is deleted", async () => {
    const owner = await signUp(app.it, "owner@leaving.test")
    const { body: other } = await owner.api("POST /users/@me/projects", { body: { name: "Leaving" } })
    await app.it.app.domains.add(other.id, "leaving.test", { vouched: true })
    const to = ["ada@leaving.test", `support@${shop}`]
    await app.deliver("ada@good.example.com", to, messageFrom("ada@good.example.com"))
    await app.it.settle()
    expect((await owner.api(`DELETE /users/@me/projects/${other.id}`)).status).toBeLessThan(300)
    await app.it.settle()
    const [{ id }] = (await app.it.api("GET /emails?limit=1")).body.data
    expect((await app.it.api(`GET /emails/${id}`)).body).toMatchObject({ to: `support@${shop}`, text: "Hello there" })
  })

  test("is in the inbox with the beginning of its text", async () => {
    const { id } = await receive(messageFrom("ada@good.example.com"), "ada@good.example.com")
    let body: { data: { id: string; snippet: string | null }[] } = { data: [] }
    // The text is read by a job.
    await until(async () => {
      ;({ body } = await app.it.api("GET /inbox?limit=1"))
      return body.data[0]?.snippet !== null
    })
    expect(body.data[0]).toMatchObject({
      id,
      source: "INBOUND",
      unread: true,
      snippet: "Hello there",
      attachmentCount: 1,
    })
    expect((await app.it.api("GET /inbox?source=INBOUND")).body.data.length).toBeGreaterThan(0)
    expect((await app.it.api("GET /inbox?source=SMTP")).body.data).toEqual([])
  })

  test("may be of a disabled project (contract B9.4.5)", async () => {
    const off = await app.it.app.projects.create("Off")
    await app.it.app.domains.add(off.id, "off.test", { vouched: true })
    await app.it.app.projects.setDisabled(off.id, "MANUAL")
    const { code } = await app.deliver("ada@good.example.com", "hi@off.test", messageFrom("ada@good.example.com"))
    expect(code).toBe(250)
  })

  test.each([
    ["no author", "Subject: Hi\r\n\r\nHello"],
    ["an author without an address", "From: Ada\r\n\r\nHello"],
    ["no header at all", "Hello"],
    ["nothing", ""],
    ["only HTML", "From: ada@good.example.com\r\nContent-Type: text/html\r\n\r\n<p>Hello <b>there</b></p>"],
    [
      "a broken structure",
      'From: a@good.example.com\r\nContent-Type: multipart/mixed; boundary="x"\r\n\r\n--x\r\n--x\r\n',
    ],
  ])("is taken with %s", async (_, message) => {
    const { email, event } = await receive(message, "ada@good.example.com")
    expect([email.status, typeof event.data.body, email.subject !== ""]).toEqual(["RECEIVED", "string", true])
  })

  test("is taken without any sender, of the envelope or of the message", async () => {
    const { email, event } = await receive("Subject: Hi\r\n\r\nHello", "")
    expect([email.from, event.data.from, event.data.fromHeader, event.contactId]).toEqual(["", "", null, null])
    expect((await app.it.api(`GET /inbox/${email.id}`)).status).toBe(200)
  })

  test("is kept whole, below what this server has to say about it (RFC 5321, 4.4)", async () => {
    const forged = "Authentication-Results: mail.mailstead.test; spf=pass"
    const message = messageFrom("ada@strict.example.com", forged)
    const { id } = await receive(message, "ada@strict.example.com")
    const raw = Buffer.from((await findOriginal(app.it.app.store.read, id)) ?? []).toString()
    expect(raw).toStartWith("Return-Path: <ada@strict.example.com>\r\nAuthentication-Results: mail.mailstead.test;\r\n")
    expect(raw.match(/^Authentication-Results:/gm)).toHaveLength(1)
    expect(raw).toContain(`X-Original-${forged}`)
    expect(raw).toMatch(/^Received: from client\.test \(\[127\.0\.0\.1\]\)\r\n\tby mail\.mailstead\.test with ESMTP;/m)
    expect(raw).toEndWith(`${message.slice(message.indexOf("MIME-Version"))}\r\n`)
  })

  test("goes with its contact, and its bytes within a day", async () => {
    await using first = await startIncomingApp()
    await first.deliver("gone@good.example.com", `hi@${shop}`, messageFrom("gone@good.example.com"))
    const { body } = await first.it.api("GET /contacts?search=gone@good.example.com")
    await first.it.api(`DELETE /contacts/${body.data[0].id}`)
    await first.it.stop()
    const { folder, clock, ids } = first.it
    const it = await startTestApp({ folder, clock, ids })
    const count = () => it.app.store.read.$count(rawMessageTable)
    expect(await count()).toBe(1)
    await it.advance({ days: 1 })
    expect(await count()).toBe(0)
    await it.stop()
  })
})

describe("Who mail is from (contract B9.6.3)", () => {
  const good = messageFrom("ada@good.example.com")
  const verdictsOf = async (message: string, mailFrom: string) => {
    const { spfVerdict, dkimVerdict, dmarcVerdict, arcVerdict } = (await receive(message, mailFrom)).event.data
    return [spfVerdict, dkimVerdict, dmarcVerdict, arcVerdict]
  }

  test.each([
    ["allowed and signed", signedBy("good.example.com", good), "ada@good.example.com", "PASS PASS PASS GRAY"],
    ["signed and forwarded", signedBy("good.example.com", good), "list@strict.example.com", "FAIL PASS PASS GRAY"],
    ["allowed, not signed", good, "ada@good.example.com", "PASS GRAY PASS GRAY"],
    [
      "changed on its way",
      signedBy("good.example.com", good).replace("Hello there", "Hello, here"),
      "ada@strict.example.com",
      "FAIL FAIL FAIL GRAY",
    ],
    ["forged", messageFrom("ada@strict.example.com"), "ada@strict.example.com", "FAIL GRAY FAIL GRAY"],
    [
      "signed by another domain than that of its author",
      signedBy("good.example.com", messageFrom("ada@strict.example.com")),
      "ada@good.example.com",
      "PASS PASS FAIL GRAY",
    ],
    [
      "of two authors, one of whom is forged (RFC 7489, 6.6.1)",
      messageFrom("ada@strict.example.com, mallory@good.example.com"),
      "mallory@good.example.com",
      "PASS GRAY FAIL GRAY",
    ],
    [
      "with two authors' fields, one of which is forged",
      messageFrom("mallory@good.example.com", "From: ada@strict.example.com"),
      "mallory@good.example.com",
      "PASS GRAY FAIL GRAY",
    ],
    [
      "of two authors of one domain that is allowed",
      messageFrom("ada@good.example.com, bob@good.example.com"),
      "ada@good.example.com",
      "PASS GRAY PASS GRAY",
    ],
    [
      "of two authors, for one of whom nothing is published",
      messageFrom("ada@good.example.com, bob@silent.example.com"),
      "ada@good.example.com",
      "PASS GRAY GRAY GRAY",
    ],
    [
      "of a domain that publishes nothing",
      messageFrom("ada@silent.example.com"),
      "ada@silent.example.com",
      "GRAY GRAY GRAY GRAY",
    ],
    [
      "with a key that is not published",
      signedBy("silent.example.com", messageFrom("ada@silent.example.com")),
      "ada@silent.example.com",
      "GRAY GRAY GRAY GRAY",
    ],
  ])("%s", async (_, message, mailFrom, expected) => {
    expect((await verdictsOf(message, mailFrom)).join(" ")).toBe(expected)
  })

  test.each([
    ["SHA-1", "rsa-sha1", "s1", privateKey, "GRAY FAIL"],
    ["a key of 512 bits", "rsa-sha256", "short", short.privateKey, "GRAY FAIL"],
    ["what is strong enough", "rsa-sha256", "s1", privateKey, "PASS PASS"],
  ])("a signature with %s proves what it may (RFC 8301, 3.1)", async (_, algorithm, selector, keyOf, expected) => {
    const message = messageFrom("ada@good.example.com")
    const pem = keyOf.export({ type: "pkcs8", format: "pem" }).toString()
    const signer = { signingDomain: "good.example.com", selector, algorithm, privateKey: pem }
    const { signatures } = await dkimSign(Buffer.from(message), { ...signer, signatureData: [signer] })
    const [, dkim, dmarc] = await verdictsOf(`${signatures}${message}`, "list@strict.example.com")
    expect(`${dkim} ${dmarc}`).toBe(expected)
  })

  test.each([
    [9, "PASS"],
    [10, "FAIL"],
  ])("a good signature below %d others: %s, because the first ten count", async (count, expected) => {
    const other = "DKIM-Signature: v=1; a=rsa-sha256; d=silent.example.com; s=s1; h=From; bh=AAAA; b=AAAA\r\n"
    const message = other.repeat(count) + signedBy("good.example.com", good)
    expect((await verdictsOf(message, "list@strict.example.com"))[1]).toBe(expected)
  })

  test("a forwarder that has sealed what it found is judged by its seal (RFC 8617)", async () => {
    const seal = {
      signingDomain: "good.example.com",
      selector: "s1",
      privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      authResults: "lists.example.com; spf=pass smtp.mailfrom=ada@strict.example.com",
      cv: "none" as const,
    }
    const forwarded = messageFrom("ada@strict.example.com")
    const sealed = `${await sealMessage(Buffer.from(forwarded), seal)}${forwarded}`
    expect((await verdictsOf(sealed, "list@good.example.com")).at(-1)).toBe("PASS")
    const changed = sealed.replace("Hello there", "Hello, here")
    expect((await verdictsOf(changed, "list@good.example.com")).at(-1)).toBe("FAIL")
  })

  test("an author whose address is an encoded word is nobody, for no domain was asked about it (RFC 2047, 5)", async () => {
    const forged = messageFrom("Ada <=?utf-8?q?ada=40strict.example.com?=>")
    const { email, event } = await receive(forged, "mallory@good.example.com")
    expect([email.from, event.contactId, event.data.dmarcVerdict]).toEqual([
      "=?utf-8?q?ada=40strict.example.com?=",
      null,
      "GRAY",
    ])
    const { event: other } = await receive(
      messageFrom("=?utf-8?q?ada?=@strict.example.com"),
      "mallory@good.example.com",
    )
    expect([other.data.from, other.data.dmarcVerdict]).toEqual(["ada@strict.example.com", "FAIL"])
  })

  test("is not known while the DNS does not answer, and the mail is taken all the same", async () => {
    app.dns.always("servfail")
    const message = messageFrom("ada@unheard.example.com")
    const verdicts = await verdictsOf(message, "ada@unheard.example.com")
    app.dns.always(undefined)
    expect(verdicts[0]).toBe("PROCESSING_FAILED")
    expect(verdicts[2]).toBe("PROCESSING_FAILED")
  })

  test("is not known to be forged while there is no answer about what may speak for its author", async () => {
    const failure = 2
    const isMute = /^(?:s1\._domainkey\.)?flaky\.example\.(?:com|net)$/
    app.dns.always(({ name }, honest) => [
      encode(isMute.test(name) ? { ...honest, answers: [], flags: failure } : honest),
    ])
    const flaky = messageFrom("ada@flaky.example.com")
    const signed = signedBy("flaky.example.com", flaky)
    const changed = signedBy("good.example.com", signed).replace("Subject: ", "Subject: Re: ")
    const foreign = signedBy("flaky.example.net", messageFrom("ada@strict.example.com"))
    const verdicts: string[] = []
    for (const [message, mailFrom] of [
      [signed, "list@strict.example.com"],
      [changed, "list@strict.example.com"],
      [flaky, "ada@flaky.example.com"],
      [foreign, "ada@flaky.example.net"],
    ] as const)
      verdicts.push((await verdictsOf(message, mailFrom)).join(" "))
    app.dns.always(undefined)
    expect(verdicts).toEqual([
      "FAIL PROCESSING_FAILED PROCESSING_FAILED GRAY",
      "FAIL PROCESSING_FAILED PROCESSING_FAILED GRAY",
      "PROCESSING_FAILED GRAY PROCESSING_FAILED GRAY",
      "PROCESSING_FAILED PROCESSING_FAILED FAIL GRAY",
    ])
  })

  test.each([
    [9_000, "PASS GRAY PASS GRAY"],
    [10_000, "PROCESSING_FAILED PROCESSING_FAILED PROCESSING_FAILED PROCESSING_FAILED"],
  ])("with a field of %d lines is %s: a header may have 10,000", async (count, expected) => {
    const message = messageFrom("ada@good.example.com", `X-Folded: a${"\r\n b".repeat(count)}`)
    expect((await verdictsOf(message, "ada@good.example.com")).join(" ")).toBe(expected)
  })

  test("is not waited for longer than 15 seconds, and others are judged meanwhile", async () => {
    app.dns.always(({ name }, honest) => (name.includes("slow") ? [] : [encode(honest)]))
    const asked = app.dns.queries.length
    const slow = receive(messageFrom("ada@slow.example.com"), "ada@slow.example.com")
    await app.dns.received(asked + 1)
    expect((await verdictsOf(good, "ada@good.example.com")).join(" ")).toBe("PASS GRAY PASS GRAY")
    await app.it.clock.advance(15_000)
    const { email, event } = await slow
    app.dns.always(undefined)
    expect([email.status, event.data.spfVerdict]).toEqual(["RECEIVED", "PROCESSING_FAILED"])
  })
})
