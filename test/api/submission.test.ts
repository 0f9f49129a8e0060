import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import tls from "node:tls"
import { createTransport } from "nodemailer"
import { readEnvelopeHeaders } from "../../src/inbound/envelope-headers.ts"
import { minute } from "../../src/kernel/clock.ts"
import { renewedCertificate, testCertificate } from "../harness/certificate.ts"
import { type IncomingApp, startIncomingApp } from "../harness/incoming.ts"
import { connectSmtp, type SmtpClient } from "../harness/smtp-client.ts"

const folder = mkdtempSync(join(tmpdir(), "mailstead-tls-"))
const [certPath, keyPath] = [join(folder, "cert.pem"), join(folder, "key.pem")]
const putCertificate = ({ cert, key }: { cert: string; key: string }) => {
  writeFileSync(certPath, cert)
  writeFileSync(keyPath, key)
}

let shop: IncomingApp
let submission: number
let secure: number
const clients: SmtpClient[] = []

beforeAll(async () => {
  putCertificate(testCertificate)
  shop = await startIncomingApp({
    settings: {
      "smtp.submission_port": "587",
      "smtp.secure_port": "465",
      "smtp.tls_cert": certPath,
      "smtp.tls_key": keyPath,
      "limits.attachments": "3",
    },
  })
  submission = shop.ports.submission ?? 0
  secure = shop.ports.secure ?? 0
})
afterEach(() => {
  for (const client of clients.splice(0)) client.drop()
})
afterAll(async () => {
  await shop[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

async function connect(port = submission, options = {}): Promise<SmtpClient> {
  const client = await connectSmtp(port, options)
  clients.push(client)
  await client.reply()
  await client.say("EHLO client.test")
  return client
}

const plain = (user: string, password: string) => Buffer.from(`\0${user}\0${password}`).toString("base64")

async function loggedIn(password = shop.it.project.secret): Promise<SmtpClient> {
  const client = await connect()
  await client.startTls()
  await client.say("EHLO client.test")
  expect((await client.say(`AUTH PLAIN ${plain("anybody", password)}`)).code).toBe(235)
  return client
}

const message = (...lines: string[]) => ["From: Shop <hello@shop.test>", "Subject: Order", ...lines].join("\r\n")
const hello = message("", "Hello")

interface Submitted {
  readonly from?: string
  readonly to?: readonly string[]
  readonly content?: string
}

/** Logs in and submits one message; resolves with the last reply. */
async function submit({ from = "hello@shop.test", to = ["ada@example.com"], content = hello }: Submitted = {}) {
  const client = await loggedIn()
  const last = await client.envelope(from, ...to)
  return last.code === 250 ? client.data(content) : last
}

const count = async () => (await shop.it.api("GET /emails?limit=100")).body.data.length

test("a program that logged in with the secret key submits mail, which leaves as it was written", async () => {
  const content = message(
    "To: Ada Lovelace <ada@example.com>",
    "Reply-To: Help <help@shop.test>",
    "X-Order: 17",
    "Bcc: secret@example.com",
    "Sender: secret@example.com",
    "Resent-Bcc: secret@example.com",
    "Delivered-To: secret@example.com",
    "Received: from other.test",
    "Received-SPF: pass (other.test)",
    "Authentication-Results: other.test; spf=pass",
    "DKIM-Signature: v=1; d=other.test",
    "",
    "Hello {{name}},",
    "  <b>17</b>",
  )
  const { text } = await submit({ content })
  expect(text).toMatch(/^250 2\.0\.0 [0-9a-f-]{36}$/)
  const id = text.slice("250 2.0.0 ".length)
  await shop.it.settle()
  const { body: email } = await shop.it.api(`GET /emails/${id}`)
  expect(email).toMatchObject({
    to: "ada@example.com",
    toName: "Ada Lovelace",
    from: "hello@shop.test",
    fromName: "Shop",
    replyTo: "help@shop.test",
    subject: "Order",
    type: "TRANSACTIONAL",
    status: "SENT",
  })
  expect(email.html).toContain("Hello {{name}},<br>\n &lt;b&gt;17&lt;/b&gt;".replace("\n ", "\n&nbsp; "))
  const sent = shop.it.sent().find((one) => one.id === id)
  const mime = new TextDecoder().decode(sent?.mime())
  expect(mime).toContain("X-Order: 17")
  expect(mime).not.toMatch(/secret@example\.com|other\.test/)
  expect(sent?.text?.trimEnd()).toBe("Hello {{name}},\n  <b>17</b>")
})

test("each line of a text that has letters from right to left leaves as HTML with its own direction", async () => {
  const lines = ["שלום, זה מבצע!", "", "  Order <17>.", "مرحبا (2026)."]
  const content = message("Content-Type: text/plain; charset=utf-8", "", ...lines)
  const { text } = await submit({ content })
  const { html } = (await shop.it.api(`GET /emails/${text.slice("250 2.0.0 ".length)}`)).body
  expect(html).toContain(
    [
      '<div dir="auto">שלום, זה מבצע!</div>',
      "<br>",
      '<div dir="auto">&nbsp; Order &lt;17&gt;.</div>',
      '<div dir="auto">مرحبا (2026).</div>',
    ].join("\n"),
  )
})

test("what in Reply-To is no address is left out, and several addresses stay as they are written (contract B9.6.8)", async () => {
  const stored = async (replyTo: string) => {
    const { text } = await submit({ content: message(`Reply-To: ${replyTo}`, "", "Hello") })
    return (await shop.it.api(`GET /emails/${text.slice("250 2.0.0 ".length)}`)).body.replyTo
  }
  expect(await stored("nobody")).toBeNull()
  expect(await stored("a@shop.test, b@shop.test")).toBe("a@shop.test, b@shop.test")
})

test("a name with a comma in it stays one in a list of addresses (contract A4.5.4, B9.6.8)", async () => {
  const before = shop.it.sent().length
  const list = "=?utf-8?Q?M=C3=BCller=2C_Hans?= <hans@shop.test>, desk@shop.test"
  const { text } = await submit({ content: message(`Reply-To: ${list}`, "", "Hello") })
  await shop.it.settle()
  const { replyTo } = readEnvelopeHeaders(shop.it.sent()[before]?.mime() ?? new Uint8Array())
  expect(replyTo).toEqual([
    { name: "Müller, Hans", address: "hans@shop.test" },
    { name: "", address: "desk@shop.test" },
  ])
  const { body } = await shop.it.api(`GET /emails/${text.slice("250 2.0.0 ".length)}`)
  expect(body.headers["Reply-To"]).toBe('"Müller, Hans" <hans@shop.test>, desk@shop.test')
})

test("a receipt is asked for at one address, also where an encoded name has a comma (contract A4.5.4)", async () => {
  const before = shop.it.sent().length
  await submit({ content: message("Disposition-Notification-To: =?utf-8?Q?Doe=2C_Jo?= <jo@shop.test>", "", "Hello") })
  await shop.it.settle()
  const mime = new TextDecoder().decode(shop.it.sent()[before]?.mime())
  expect(mime).toContain('\r\nDisposition-Notification-To: "Doe, Jo" <jo@shop.test>\r\n')
})

test("a receipt is asked for at the address of a field that is encoded as a whole (contract B9.6.8)", async () => {
  const before = shop.it.sent().length
  const encoded = "=?UTF-8?Q?=22Doe=2C_J=C3=B6=22_=3Cjo=40?= =?UTF-8?Q?shop=2Etest=3E?="
  await submit({ content: message(`Disposition-Notification-To: ${encoded}`, "", "Hello") })
  await shop.it.settle()
  const mime = new TextDecoder().decode(shop.it.sent()[before]?.mime())
  expect(mime).toContain("\r\nDisposition-Notification-To: =?UTF-8?Q?Doe=2C_J=C3=B6?= <jo@shop.test>\r\n")
})

test("a name in quotes whose encoded word has a quote and an address keeps them within its quotes (contract A4.5.4)", async () => {
  const list = '"=?utf-8?Q?J=C3=B6rg=22_=3Cx=40evil.test=3E=2C_?=" <hans@shop.test>, "desk, \\"one\\"" <desk@shop.test>'
  const { text } = await submit({ content: message(`Reply-To: ${list}`, "", "Hello") })
  const { body } = await shop.it.api(`GET /emails/${text.slice("250 2.0.0 ".length)}`)
  expect(body.headers["Reply-To"]).toBe(
    '"Jörg\\" <x@evil.test>, " <hans@shop.test>, "desk, \\"one\\"" <desk@shop.test>',
  )
})

test("a reply in a long thread leaves with all of its References, in lines that RFC 5322 allows (contract B9.6.1)", async () => {
  const ids = Array.from({ length: 100 }, (_, n) => `<${n}.${"x".repeat(60)}@mail.example.com>`)
  const before = shop.it.sent().length
  await submit({ content: message(`References: ${ids.join("\r\n ")}`, "", "Hello") })
  await shop.it.settle()
  const mime = new TextDecoder().decode(shop.it.sent()[before]?.mime())
  expect(/^References:(.*(?:\r\n .*)*)/m.exec(mime)?.[1]?.trim().split(/\s+/)).toEqual(ids)
  expect(Math.max(...mime.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(998)
})

test("a file whose type is no media type leaves as one of unknown type, and can be read (contract B9.6.1)", async () => {
  const before = shop.it.sent().length
  const part = ["--b", "Content-Type: file", "Content-Disposition: attachment; filename=r.txt", "", "abc", "--b--"]
  const { text } = await submit({ content: message("Content-Type: multipart/mixed; boundary=b", "", ...part, "") })
  await shop.it.settle()
  const { status, body } = await shop.it.api(`GET /emails/${text.slice("250 2.0.0 ".length)}`)
  expect([status, body.status, body.attachments]).toEqual([
    200,
    "SENT",
    [expect.objectContaining({ filename: "r.txt", contentType: "application/octet-stream" })],
  ])
  expect(shop.it.sent()).toHaveLength(before + 1)
})

test("a file that is shown inline without an id stands behind the text, as a scanner sends it: no HTML can refer to it (RFC 2387)", async () => {
  const before = shop.it.sent().length
  const head = ["Content-Type: application/pdf", "Content-Disposition: inline; filename=scan.pdf"]
  await submit({ content: message(...head, "Content-Transfer-Encoding: base64", "", "JVBERi0=") })
  await shop.it.settle()
  const mime = new TextDecoder().decode(shop.it.sent()[before]?.mime())
  const fields = mime.match(/^(?:Content-Type: (?:multipart|application)\/\w+|Content-Disposition: \w+)/gm)
  expect(fields).toEqual([
    "Content-Type: multipart/mixed",
    "Content-Type: multipart/alternative",
    "Content-Type: application/pdf",
    "Content-Disposition: inline",
  ])
})

test("a picture that the HTML shows is related to it, also where the program put it beside the HTML", async () => {
  const picture = (id: string, ...fields: string[]) => [
    "--b",
    "Content-Type: image/png",
    `Content-ID: <${id}>`,
    ...fields,
    "",
    id,
  ]
  async function placesOf(html: string, ...pictures: string[][]) {
    const before = shop.it.sent().length
    const parts = ["--b", "Content-Type: text/html", "", html, ...pictures.flat(), "--b--", ""]
    await submit({ content: message("Content-Type: multipart/mixed; boundary=b", "", ...parts) })
    await shop.it.settle()
    return shop.it.sent()[before]?.attachments.map(({ contentId, disposition }) => [contentId, disposition])
  }
  expect(
    await placesOf(
      '<img src="cid:shown@a"><img src="cid:silent@a"><img src="cid:file@a">',
      picture("shown@a", "Content-Disposition: inline; filename=logo.png"),
      picture("silent@a"),
      picture("file@a", "Content-Disposition: attachment; filename=photo.png"),
    ),
  ).toEqual([
    ["shown@a", "inline"],
    ["silent@a", "inline"],
    ["file@a", "attachment"],
  ])
  // As a URL has it, and one whose id is the beginning of another that is shown.
  const odd = '<img src=CID:a%20b><img src="cid:c d"><img src="cid:photo10">'
  expect(await placesOf(odd, picture("a b"), picture("c d"), picture("photo1"))).toEqual([
    ["a b", "inline"],
    ["c d", "inline"],
    ["photo1", "attachment"],
  ])
})

test("a subject alone leaves, also where the program writes a multipart around it", async () => {
  const before = shop.it.sent().length
  const part = ["--b", "Content-Type: text/plain", "", "", "--b--"]
  const { code } = await submit({ content: message("Content-Type: multipart/mixed; boundary=b", "", ...part, "") })
  await shop.it.settle()
  expect([code, shop.it.sent()[before]?.subject, shop.it.sent()[before]?.text]).toEqual([250, "Order", ""])
})

test("a file of text leaves with its charset, without which it cannot be read (contract B9.6.1)", async () => {
  const before = shop.it.sent().length
  const part = [
    "--b",
    'Content-Type: text/csv; charset="windows-1251"; name=names.csv',
    "Content-Disposition: attachment; filename=names.csv",
    "Content-Transfer-Encoding: base64",
    "",
    "z/Do4uXy",
    "--b--",
  ]
  await submit({ content: message("Content-Type: multipart/mixed; boundary=b", "", ...part, "") })
  await shop.it.settle()
  const mime = new TextDecoder().decode(shop.it.sent()[before]?.mime())
  expect(mime).toMatch(/Content-Type: text\/csv;\s+charset="?windows-1251"?;\s+name="names.csv"/i)
  expect(mime).toContain("z/Do4uXy")
})

test("each recipient gets a mail of their own", async () => {
  const before = shop.it.sent().length
  await submit({ to: ["one@example.com", "two@example.com"] })
  await shop.it.settle()
  const sent = shop.it.sent().slice(before)
  expect(sent.map(({ envelope }) => envelope.to).sort()).toEqual(["one@example.com", "two@example.com"])
})

test("an invitation and AMP stay forms of the body, and files attachments", async () => {
  const transport = createTransport({
    host: "127.0.0.1",
    port: secure,
    secure: true,
    tls: { rejectUnauthorized: false },
    auth: { user: "x", pass: shop.it.project.secret },
  })
  const before = shop.it.sent().length
  await transport.sendMail({
    from: "hello@shop.test",
    to: "ada@example.com",
    subject: "Party",
    text: "Come",
    html: "<p>Come</p>",
    amp: "<!doctype html><html ⚡4email><body>Come</body></html>",
    icalEvent: { method: "REQUEST", content: "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR" },
    attachments: [{ filename: "map.txt", content: "left" }],
  })
  transport.close()
  await shop.it.settle()
  const mime = new TextDecoder().decode(shop.it.sent()[before]?.mime())
  const types = [...mime.matchAll(/^Content-Type: ([a-z/-]+)/gim)].map(([, type]) => type)
  expect(types).toEqual([
    "multipart/mixed",
    "multipart/alternative",
    "text/plain",
    "text/x-amp-html",
    "text/html",
    "text/calendar",
    "text/plain",
    "application/ics",
  ])
  expect(mime).toMatch(/Content-Type: text\/calendar;\s+(charset=utf-8;\s+)?method=REQUEST/i)
})

test("a message that is forwarded as an attachment leaves as a message, byte by byte (contract A7.2.5)", async () => {
  const old = [
    "From: Bo <bo@else.test>",
    "DKIM-Signature: v=1; a=rsa-sha256; d=else.test; s=x; h=from; bh=x; b=y",
    'Content-Type: multipart/mixed; boundary="o"',
    "",
    "--o",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: quoted-printable",
    "",
    "Gr=C3=BC=C3=9Fe  ",
    "..",
    "--o--",
  ].join("\r\n")
  const content = message(
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "",
    "See below",
    "--b",
    "Content-Type: message/rfc822",
    "",
    old,
    "--b--",
  )
  const before = shop.it.sent().length
  await submit({ content: content.replace(/^\./gm, "..") })
  await shop.it.settle()
  const mime = new TextDecoder().decode(shop.it.sent()[before]?.mime())
  expect(mime).toMatch(/^Content-Type: message\/rfc822;\r\n name="[^"]+\.eml"\r\nContent-Transfer-Encoding: 7bit\r\n/m)
  expect(mime).toContain(`.eml"\r\n\r\n${old}\r\n--=_mix_`)
})

test.each<[string, Submitted, string]>([
  ["an author of a domain that is not verified", { content: hello.replace("shop.test", "other.test") }, "550 5.7.1"],
  ["an envelope sender of such a domain", { from: "hello@other.test" }, "550 5.7.1"],
  ["no author", { content: "Subject: Order\r\n\r\nHello" }, "550 5.6.0"],
  ["a recipient at no public domain", { to: ["ada@example.com", "root@localhost"] }, "550 5.6.0"],
  ["a header that is too long", { content: message(`X-Long: ${"a".repeat(999)}`, "", "Hello") }, "550 5.6.0"],
  [
    "a subject that is too long",
    { content: `From: hello@shop.test\r\nSubject: ${"a".repeat(999)}\r\n\r\nHi` },
    "550 5.6.0",
  ],
  ["a body of more than 2,000,000 characters", { content: message("", "hello ".repeat(400_000)) }, "552 5.3.4"],
  ["more attachments than a mail may have", { content: withFiles(4) }, "552 5.3.4"],
  ["more parts than are read", { content: withParts(600) }, "550 5.6.0"],
  ["a 101st recipient", { to: Array.from({ length: 101 }, (_, at) => `p${at}@example.com`) }, "452 4.5.3"],
])("%s is refused, and nothing is stored", async (_, submitted, reply) => {
  const before = await count()
  expect((await submit(submitted)).text).toStartWith(reply)
  expect(await count()).toBe(before)
})

test("a mail with the null sender, which nobody may answer, is submitted like another (contract B9.6.8)", async () => {
  expect((await submit({ from: "" })).code).toBe(250)
})

function withParts(parts: number): string {
  return message('Content-Type: multipart/mixed; boundary="b"', "", `${"--b\r\n\r\nx\r\n".repeat(parts)}--b--`)
}

function withFiles(files: number): string {
  const part = (at: number) =>
    `--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=${at}.pdf\r\n\r\nx\r\n`
  const parts = Array.from({ length: files }, (_, at) => part(at)).join("")
  return message('Content-Type: multipart/mixed; boundary="b"', "", `${parts}--b--`)
}

test("a key that is wrong or public is no password", async () => {
  for (const password of ["sk_wrong", shop.it.project.publicKey]) {
    const client = await connect(secure, { secure: true })
    expect((await client.say(`AUTH PLAIN ${plain("x", password)}`)).text).toStartWith("535 5.7.8")
  }
})

test.each([
  "ada@example.com",
  "ada%example.com@shop.test",
  "example.com!ada@shop.test",
  '"ada@example.com"@shop.test',
  "@shop.test:ada@example.com",
])("without a login nothing is passed on to %s", async (address) => {
  const client = await connect()
  const reply = await client.envelope("hello@shop.test", address)
  expect(reply.text).toMatch(/^5\d\d 5\./)
})

test("without a login every port takes mail to a verified domain", async () => {
  const client = await connect(secure, { secure: true })
  await client.envelope("ada@example.com", "orders@shop.test")
  expect((await client.data("From: ada@example.com\r\nSubject: Hi\r\n\r\nHi")).code).toBe(250)
  expect((await shop.events("email.received")).length).toBe(1)
})

/** Whose certificate the port shows. */
function subjectAt(port: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
      const { subject } = socket.getPeerCertificate()
      socket.destroy()
      resolve(String(subject.CN))
    })
    socket.on("error", reject)
  })
}

test("a renewed certificate is used without a restart; files that do not fit together are not", async () => {
  const open = await loggedIn()
  expect(await subjectAt(secure)).toBe("localhost")
  writeFileSync(certPath, renewedCertificate.cert)
  await shop.it.clock.advance(minute)
  expect(await subjectAt(secure)).toBe("localhost")
  writeFileSync(keyPath, renewedCertificate.key)
  await shop.it.clock.advance(minute)
  expect(await subjectAt(secure)).toBe("renewed.test")
  expect((await open.say("NOOP")).code).toBe(250)
  expect((await open.envelope("hello@shop.test", "ada@example.com")).code).toBe(250)
})

test("failed logins of an address count over all ports", async () => {
  const { secret } = shop.it.project
  for (let at = 0; at < 30; at++) {
    const client = await connect(secure, { secure: true })
    await client.say(`AUTH PLAIN ${plain("x", "sk_wrong")}`)
    client.drop()
  }
  const client = await connect()
  expect((await client.say(`AUTH PLAIN ${plain("x", secret)}`)).text).toStartWith("421 4.7.0")
  await shop.it.clock.advance(11 * minute)
})

test("the mail of a disabled project is refused", async () => {
  const client = await loggedIn()
  await shop.it.app.projects.setDisabled(shop.it.project.id, "MANUAL")
  await client.envelope("hello@shop.test", "ada@example.com")
  expect((await client.data(hello)).text).toStartWith("550 5.7.1")
})

test("a message counts as a request of the project's rate limit", async () => {
  await using limited = await startIncomingApp({
    settings: { "smtp.submission_port": "587", "limits.requests_per_minute": "3" },
  })
  const replies: string[] = []
  for (let at = 0; at < 3; at++) {
    const client = await connect(limited.ports.submission ?? 0)
    expect((await client.say(`AUTH PLAIN ${plain("x", limited.it.project.secret)}`)).code).toBe(235)
    await client.envelope("hello@shop.test", "ada@example.com")
    replies.push((await client.data(hello)).text.slice(0, 9))
  }
  expect(replies.slice(-2)).toEqual(["451 4.7.1", "451 4.7.1"])
})

test("a program that forgets to log in hears that a login is what is missing (contract B9.6.2)", async () => {
  await using own = await startIncomingApp({ settings: { "smtp.submission_port": "587" } })
  const client = await connect(own.ports.submission ?? 0)
  await client.say("MAIL FROM:<hello@shop.test>")
  expect((await client.say("RCPT TO:<ada@example.com>")).text).toBe(
    "550 5.7.1 This server does not take mail for this address without a login",
  )
})

test("a key that is rotated, and that of a deleted project, takes no more mail in an open session", async () => {
  await using own = await startIncomingApp({ settings: { "smtp.submission_port": "587" } })
  const { id, secret } = own.it.project
  const client = await connect(own.ports.submission ?? 0)
  expect((await client.say(`AUTH PLAIN ${plain("x", secret)}`)).code).toBe(235)
  await client.say("MAIL FROM:<hello@shop.test>")
  expect((await client.say("RCPT TO:<ada@example.com>")).code).toBe(250)
  await own.it.app.projects.settings.rotateKeys(id)
  expect((await client.data(hello)).text).toStartWith("550 5.7.1")
  await client.say("MAIL FROM:<hello@shop.test>")
  expect((await client.say("RCPT TO:<ada@example.com>")).text).toStartWith("550 5.7.1")
})
