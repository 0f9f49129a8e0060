import { expect, test } from "bun:test"
import addressparser from "nodemailer/lib/addressparser"
import { readEnvelopeHeaders } from "../../src/inbound/envelope-headers.ts"
import { parseMessage } from "../../src/inbound/parse.ts"
import { workedMs } from "../harness/processor-time.ts"

const crlf = (text: string) => Buffer.from(text.replace(/\n/g, "\r\n"))
const nothing = {
  from: null,
  to: [],
  cc: [],
  replyTo: [],
  subject: "",
  messageId: null,
  date: null,
  listUnsubscribe: null,
}

const newsletter = `Received: from a.test by b.test
\tfor <ada@two.test>; Tue, 3 Nov 2026 10:00:00 +0100
From: =?UTF-8?Q?J=C3=B6rg_M=C3=BCller?= <joerg@one.test>
To: "Ada, the first" <ada@two.test>, bo@two.test
Cc: friends: cy@two.test, =?iso-8859-1?Q?D=E9?= <de@two.test>;
Reply-To: help@one.test
Subject: =?UTF-8?B?QmVzdGVsbHVuZyBOcuKCrDE=?=
 =?UTF-8?B?MjM=?=
Message-ID: <abc.123@one.test>
Date: Tue, 3 Nov 2026 10:00:00 +0100 (CET)
List-Unsubscribe: <https://one.test/u/1>,
 <mailto:u@one.test>
Content-Type: multipart/mixed; boundary="mm"

--mm
Content-Type: multipart/related; boundary="rr"

--rr
Content-Type: multipart/alternative; boundary="aa"

--aa
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

Gr=C3=BC=C3=9Fe
--aa
Content-Type: text/html; charset=iso-8859-1
Content-Transfer-Encoding: base64

PHA+R3L832U8L3A+PGltZyBzcmM9ImNpZDpsb2dvIj4=
--aa--
--rr
Content-Type: image/png
Content-ID: <logo>
Content-Disposition: inline; filename="logo.png"
Content-Transfer-Encoding: base64

iVBORw0KGgo=
--rr--
--mm
Content-Type: application/pdf
Content-Disposition: attachment; filename*=UTF-8''..%2FRechnung%20%E2%82%AC.pdf
Content-Transfer-Encoding: base64

JVBERi0=
--mm
Content-Type: message/rfc822

From: x@three.test
Subject: inner

inner text
--mm--
`

const head = {
  from: { name: "J\u00f6rg M\u00fcller", address: "joerg@one.test" },
  to: [
    { name: "Ada, the first", address: "ada@two.test" },
    { name: "", address: "bo@two.test" },
  ],
  cc: [
    { name: "", address: "cy@two.test" },
    { name: "D\u00e9", address: "de@two.test" },
  ],
  replyTo: [{ name: "", address: "help@one.test" }],
  subject: "Bestellung Nr\u20ac123",
  messageId: "abc.123@one.test",
  date: Date.UTC(2026, 10, 3, 9),
  listUnsubscribe: "<https://one.test/u/1>, <mailto:u@one.test>",
}

test("the head of a message is read, decoded and unfolded", () => {
  expect(readEnvelopeHeaders(crlf(newsletter))).toEqual(head)
})

test("a message is parsed: texts unchanged, parts decoded, a nested message is one part", async () => {
  const parsed = await parseMessage(crlf(newsletter))
  expect(parsed).toMatchObject(head)
  expect(parsed.text).toBe("Gr\u00fc\u00dfe")
  expect(parsed.html).toBe('<p>Gr\u00fc\u00dfe</p><img src="cid:logo">')
  expect(parsed.complete).toBe(true)
  expect(parsed.attachments.map(({ content, ...rest }) => ({ ...rest, size: content.length }))).toEqual([
    { filename: "logo.png", contentType: "image/png", contentId: "logo", disposition: "inline", size: 8 },
    {
      filename: ".._Rechnung \u20ac.pdf",
      contentType: "application/pdf",
      contentId: null,
      disposition: "attachment",
      size: 5,
    },
    { filename: "part-3.eml", contentType: "message/rfc822", contentId: null, disposition: "attachment", size: 48 },
  ])
  expect(parsed.headers.map(({ name }) => name)).toEqual([
    "Received",
    "From",
    "To",
    "Cc",
    "Reply-To",
    "Subject",
    "Message-ID",
    "Date",
    "List-Unsubscribe",
    "Content-Type",
  ])
  expect(parsed.headers[5]?.value).toBe("Bestellung Nr\u20ac123")
})

test.each<[string, string, Partial<typeof head>]>([
  ["nothing at all", "", {}],
  ["a body without header", "\r\nFrom: a@one.test\r\n", {}],
  ["no field among the lines", "hello\r\nworld", {}],
  ["LF line ends", "From: a@one.test\nSubject: x\n y\n\nSubject: body", mailFrom("a@one.test", "x y")],
  ["a head without end", "From: a@one.test\r\nSubject: x", mailFrom("a@one.test", "x")],
  ["fields twice: the first counts", "Subject: x\r\nSubject: y\r\n\r\n", { subject: "x" }],
  ["a mailbox file's first line", "From a@one.test Mon\r\nSubject: x\r\n\r\n", { subject: "x" }],
  ["names in any case, blanks before the colon", "SUBJECT : x\r\n\r\n", { subject: "x" }],
  ["raw UTF-8", "Subject: Gr\u00fc\u00dfe\r\n\r\n", { subject: "Gr\u00fc\u00dfe" }],
  ["an unknown character set", "Subject: =?x-none?Q?a=41?=\r\n\r\n", { subject: "aA" }],
  ["a word that is cut off", "Subject: =?utf-8?B?abc\r\n\r\n", { subject: "=?utf-8?B?abc" }],
  ["an encoded line break", "Subject: =?utf-8?Q?a=0D=0ABcc:_x?=\r\n\r\n", { subject: "a Bcc: x" }],
  ["an invalid date", "Date: yesterday\r\n\r\n", {}],
  ["an author without address", "From: nobody\r\n\r\n", {}],
  [
    "a name that poses as an address",
    "From: =?utf-8?Q?boss=40bank.test=3E?= <a@one.test>\r\n\r\n",
    { from: { name: "boss@bank.test>", address: "a@one.test" } },
  ],
])("a head with %s gives its valid fields", (_, raw, expected) => {
  expect<object>(readEnvelopeHeaders(Buffer.from(raw))).toEqual({ ...nothing, ...expected })
})

test("a long file name keeps its last 255 characters, without splitting one", async () => {
  const name = `${"\u{1f4c4}".repeat(300)}.txt`
  const head = `Content-Type: text/plain; name="=?utf-8?B?${Buffer.from(name).toString("base64")}?="`
  const parsed = await parseMessage(crlf(`${head}\nContent-Disposition: attachment\n\nx`))
  expect(parsed.attachments.map(({ filename }) => filename)).toEqual([`${"\u{1f4c4}".repeat(251)}.txt`])
})

function mailFrom(address: string, subject: string) {
  return { from: { name: "", address }, subject }
}

test.each([
  ["text only", "Subject: x\n\nhello\n", "hello\n", null],
  ["HTML only, from which no text is made", "Content-Type: text/html\n\n<b>x</b>", null, "<b>x</b>"],
  ["no header at all", "hello\nworld\n", "hello\nworld\n", null],
  [
    "text that another program calls HTML's footer",
    mixed("\nfoot <1>", "Content-Type: text/html\n\n<p>x</p>"),
    undefined,
    "<pre>foot &lt;1&gt;</pre><br/>\n<p>x</p>",
  ],
  ["a part that is never closed", "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhello", "hello", null],
  ["one part without words", mixed("Content-Type: text/plain\n\n"), null, null],
  ["a part without a body", "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n--b--\n", null, null],
  ["an unknown character set", "Content-Type: text/plain; charset=nope\n\nhello", "hello", null],
  ["a type without a subtype", "Content-Type: text; charset=utf-8\n\nhello", "hello", null],
  [
    "blanks after the boundary lines",
    "Content-Type: multipart/mixed; boundary=b\n\n--b  \n\nhello\n--b\t\nContent-Type: text/html\n\n<p>x</p>\n--b-- \n",
    null,
    "<pre>hello</pre><br/>\n<p>x</p>",
  ],
  ["a head line of 300 KB", `X-Long: ${"x".repeat(300_000)}\nContent-Type: text/html\n\n<p>x</p>`, null, "<p>x</p>"],
  ["text that has a name", "Content-Disposition: inline; filename=a.txt\n\nhello", "hello", null],
])("a message of %s is shown", async (_, raw, text, html) => {
  const parsed = await parseMessage(crlf(raw))
  if (text !== undefined) expect(parsed.text).toBe(text)
  expect(parsed.html).toBe(html)
  expect(parsed.complete).toBe(true)
})

test.each([
  ["a boundary that is never used", "Content-Type: multipart/mixed; boundary=b\n\nhello\n", "hello\n"],
  ["no boundary where one is due", "Content-Type: multipart/mixed\n\nhello\n", "hello\n"],
  ["invalid base64", "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n%%%", "%%%"],
  ["an unused boundary around a part", mixed("Content-Type: multipart/mixed; boundary=c\n\nhello"), /hello/],
  ["a part with invalid base64", mixed("Content-Transfer-Encoding: base64\n\n%%%"), /%%%/],
])("a message of %s is shown unchanged, and marked as incomplete", async (_, raw, text) => {
  expect(await parseMessage(crlf(raw))).toMatchObject({
    text: typeof text === "string" ? text : expect.stringMatching(text),
    html: null,
    complete: false,
  })
})

const part = (content: string, more = "") =>
  `Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n${content}\n--b--\n${more}`

test.each([
  ["a part with other characters", part("aGVs*bG8=\naGVsbG8="), true],
  ["a body with a line below it", "Content-Transfer-Encoding: base64\n\naGVsbG8=\n-- \nSent by a list!\n", true],
  ["a part with a line of a list below it", part("aGVsbG8=\n-- \nSent by a list"), true],
  ["a folded header field", "Content-Transfer-Encoding:\n base64\n\naGV_bG8=\n", true],
  ["a part", part("aGVsbG8=\naGVsbG8="), false],
  ["a part with blanks, and text behind the last", part(" aGVs bG8= \n", "Not a part: aGVs*"), false],
  [
    "a text that quotes a head",
    "Content-Type: text/plain\n\nIt said:\n\nContent-Transfer-Encoding: base64\n\nno!",
    false,
  ],
])("base64 of %s: whether it is marked as damaged", async (_, raw, damaged) => {
  expect((await parseMessage(crlf(raw))).damaged).toBe(damaged)
})

test("the text of a message without the empty line behind its header fields is the lines below them", async () => {
  const raw = crlf("From: a@one.test\nSubject: x\n y\nHello\nthere")
  expect(await parseMessage(raw)).toMatchObject({ subject: "x y", text: "Hello\nthere", complete: true })
})

test("a blank body is complete and empty", async () => {
  expect(await parseMessage(crlf("Subject: x\n\n \n"))).toMatchObject({ html: null, complete: true })
})

const digest = `From: list@one.test
Content-Type: multipart/digest; charset=utf-8;
 boundary="dd"

--dd

From: ada@one.test
Subject: First

One
--dd  
Content-Type: message/rfc822

From: bo@one.test
Subject: Second

Two
--dd
Content-Type: text/plain; name="notes.txt"
Content-Disposition: attachment

Three
--dd--
`

test("the parts of a digest are messages of their own, unless they say otherwise (RFC 2046, 5.1.5)", async () => {
  const { attachments, text, complete } = await parseMessage(crlf(digest))
  const seen = attachments.map(({ contentType, content }) => [
    contentType,
    Buffer.from(content).toString().split("\r\n"),
  ])
  expect(seen).toEqual([
    ["message/rfc822", ["From: ada@one.test", "Subject: First", "", "One"]],
    ["message/rfc822", ["From: bo@one.test", "Subject: Second", "", "Two"]],
    ["text/plain", ["Three"]],
  ])
  expect([text, complete]).toEqual([null, true])
})

test.each(["text", "TEXT ; charset=utf-8", "text; charset=iso-8859-1"])(
  "a part of the type %s is text",
  async (type) => {
    const sent = `From: a@one.test
Content-Type: multipart/mixed; boundary=mm

--mm
Content-Type: ${type}

Hello
--mm
Content-Type: application/pdf; name=a.pdf

%PDF
--mm--
`
    const { text, attachments } = await parseMessage(crlf(sent))
    expect(text?.trim()).toBe("Hello")
    expect(attachments.map(({ filename }) => filename)).toEqual(["a.pdf"])
  },
)

test("the type of a part counts wherever it stands among its fields", async () => {
  const fields = "Content-Disposition: inline\nContent-Transfer-Encoding: 7bit"
  const inDigest = `Content-Type: multipart/digest; boundary=b\n\n--b\n${fields}\nContent-Type: text/plain\n\nHello\n--b--\n`
  const { text, attachments } = await parseMessage(crlf(inDigest))
  expect([text, attachments]).toEqual(["Hello", []])
  expect((await parseMessage(crlf(mixed(`${fields}\nContent-Type: text\n\nHello`)))).text).toBe("Hello")
})

test("a message of very many lines that look like boundaries is read in time", async () => {
  const before = workedMs()
  await parseMessage(
    crlf(`From: a@one.test\nContent-Type: multipart/digest; boundary=b\n\n${"--b\nx: y\n".repeat(100_000)}`),
  )
  expect(workedMs() - before).toBeLessThan(3_000)
})

test("lines of an attachment keep their blanks", async () => {
  const part = "Content-Type: text/csv\nContent-Disposition: attachment; filename=a.csv\n\n-- \n--other  \nend"
  const { attachments } = await parseMessage(crlf(mixed(part)))
  expect(Buffer.from(attachments[0]?.content ?? []).toString()).toBe("-- \r\n--other  \r\nend")
})

test.each([
  ["UTF-8 in an encoded word", Buffer.from("Subject: =?utf-8?Q?Gr\u00fc\u00dfe?=\r\n\r\n"), "Gr\u00fc\u00dfe"],
  [
    "ISO 8859-1 in an encoded word",
    Buffer.from("Subject: =?iso-8859-1?Q?Gr\u00fc\u00dfe?=\r\n\r\n", "latin1"),
    "Gr\u00fc\u00dfe",
  ],
  [
    "Windows-1252 in an encoded word",
    Buffer.from("Subject: =?windows-1252?q?5_\u0080?=\r\n\r\n", "latin1"),
    "5 \u20ac",
  ],
  [
    "KOI8-R in an encoded word",
    Buffer.from("Subject: =?koi8-r?Q?\u00f0\u00d2\u00c9?=\r\n\r\n", "latin1"),
    "\u041f\u0440\u0438",
  ],
  ["ISO 8859-1 as it is", Buffer.from("Subject: Gr\u00fc\u00dfe\r\n\r\n", "latin1"), "Gr\u00fc\u00dfe"],
])("a subject with octets of %s is read", (_, raw, subject) => {
  expect(readEnvelopeHeaders(raw).subject).toBe(subject)
})

function mixed(...parts: string[]): string {
  return `Content-Type: multipart/mixed; boundary=b\n\n${parts.map((part) => `--b\n${part}\n`).join("")}--b--\n`
}

test("a message with too many parts gives the first ones and is marked as incomplete", async () => {
  const parts = Array.from({ length: 3_000 }, (_, i) => `Content-Type: text/plain\n\npart ${i}`)
  const parsed = await parseMessage(crlf(mixed(...parts)))
  expect(parsed.text).toStartWith("part 0\npart 1\n")
  expect(parsed.complete).toBe(false)
})

test("a part with a header without end does not hide the parts before it", async () => {
  const parsed = await parseMessage(crlf(mixed("\nhello", `X-Long: ${"x".repeat(300_000)}\n\nlost`)))
  expect(parsed.text).toStartWith("hello")
  expect(parsed.complete).toBe(false)
})

test.each([
  ["addresses", `To: ${"a <a@b.test>, ".repeat(20_000)}`],
  ["open brackets", `From: ${"<".repeat(250_000)}`],
  ["quotes", `From: ${'"'.repeat(250_000)}`],
  ["groups", `To: ${"a:".repeat(125_000)}`],
  ["encoded words", `Subject: ${"=?utf-8?Q?a?= ".repeat(16_000)}`],
  ["beginnings of encoded words", `Subject: ${"=?a?B?".repeat(40_000)}`],
  ["lines that are no fields", "xxxxxxxx\n".repeat(28_000)],
  ["fields", "a:\n".repeat(80_000)],
  ["folds", `Subject: x\n${" y\n".repeat(80_000)}`],
])("a head full of %s takes bounded time", (_, head) => {
  const start = workedMs()
  readEnvelopeHeaders(Buffer.from(`${head}\r\n\r\n`))
  expect(workedMs() - start).toBeLessThan(1_000)
})

test("the attachments of a large message are complete", async () => {
  const content = Buffer.alloc(3 * 1024 * 1024, "mailstead")
  const lines = content.toString("base64").replace(/.{76}/g, "$&\r\n")
  const raw = `Content-Type: application/zip; name=a.zip\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines}\r\n`
  const [attachment] = (await parseMessage(Buffer.from(raw))).attachments
  expect(attachment?.filename).toBe("a.zip")
  expect(Buffer.compare(attachment?.content ?? Buffer.alloc(0), content)).toBe(0)
})

test("fields with one simple address are read as the parser of address lists reads them", () => {
  const fields = [
    ...[
      "a@b.test",
      "<a@b.test>",
      "Ann <a@b.test>",
      "Ann B Cox <a@b.test>",
      "A-1 <A.b+c=d_e@X-y.Test>",
      "root@localhost",
    ],
    ...["Ann  Bo <a@b.test>", "Ann a@b.test", "<a@b.test", "a@b.test>", "Ann<a@b.test>", "a@b.test <c@d.test>"],
    ...["a@b.test, c@d.test", '"Ann" <a@b.test>', "Ann@x <a@b.test>", "Ann: a@b.test;", "Ann <>", "<>", "Nobody"],
  ]
  for (const field of fields) {
    const parsed = addressparser(field, { flatten: true }).filter(({ address }) => address !== "")
    const expected = parsed.map(({ name, address }) => ({ name, address }))
    expect([field, readEnvelopeHeaders(crlf(`To: ${field}\n\n`)).to]).toEqual([field, expected])
  }
})
