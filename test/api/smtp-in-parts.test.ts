import { describe, expect, test } from "bun:test"
import { parseMessage } from "../../src/inbound/parse.ts"

const crlf = (text: string) => Buffer.from(text.replace(/\n/g, "\r\n"), "latin1")
const mixed = (kind: string, ...parts: string[]) =>
  parseMessage(
    crlf(
      `From: a@one.test\nContent-Type: multipart/${kind}; boundary=b\n\n${parts.map((part) => `--b\n${part}\n`).join("")}--b--\n`,
    ),
  )
const plain = "Content-Type: text/plain\n\nSee the log"
const html = "Content-Type: text/html\n\n<p>Your code is 4711</p>"
const footer = "Content-Type: text/plain\n\nConfidential"

describe("a text part with a file name behind another part is a file", () => {
  test.each([
    ["inline", "Content-Type: text/plain\nContent-Disposition: inline; filename=app.log"],
    ["named text", "Content-Type: text/plain; name=app.log"],
    ["named HTML", 'Content-Type: text/html; name="report.html"'],
  ])("%s", async (_name, head) => {
    const { text, attachments } = await mixed("mixed", plain, `${head}\n\nline 1`)
    expect(text?.trim()).toBe("See the log")
    expect(attachments.map(({ filename, disposition }) => [filename, disposition])).toEqual([
      [/name="?([^"]+)/.exec(head)?.[1] ?? "", "attachment"],
    ])
  })

  test("but not the first one, which is the text", async () => {
    const whole = await parseMessage(crlf("From: a@one.test\nContent-Type: text/plain; name=body.txt\n\nHello"))
    expect([whole.text?.trim(), whole.attachments]).toEqual(["Hello", []])
    const first = await mixed("mixed", "Content-Type: text/plain; name=body.txt\n\nHello")
    expect([first.text?.trim(), first.attachments]).toEqual(["Hello", []])
    const inline = "Content-Type: text/plain\nContent-Disposition: inline; filename=body.txt\n\nHello"
    const { text, attachments } = await mixed("mixed", inline, "Content-Type: application/pdf; name=a.pdf\n\n%PDF")
    expect([text?.trim(), attachments.map(({ filename }) => filename)]).toEqual(["Hello", ["a.pdf"]])
  })
})

describe("a message whose HTML says more than its text parts has no text of its own", () => {
  test.each([
    ["HTML, then text", "mixed", [html, footer], null],
    ["text, then HTML", "mixed", [plain, html], null],
    ["alternatives", "alternative", [plain, html], "See the log"],
    ["a blank text beside HTML", "alternative", ["Content-Type: text/plain\n\n \n\t\n", html], null],
    [
      "text and an HTML file",
      "mixed",
      [plain, `${html.replace("\n\n", "\nContent-Disposition: attachment\n\n")}`],
      "See the log",
    ],
  ])("%s", async (_name, kind, parts, expected) => {
    const { text, html: shown } = await mixed(kind, ...parts)
    expect(text?.trim() ?? null).toBe(expected)
    if (expected === null) expect(shown).toContain("4711")
  })
})

test.each([
  ["file", "application/octet-stream"],
  ["a/b/c", "application/octet-stream"],
  ["*/*", "application/octet-stream"],
  [`a/${"b".repeat(253)}`, `a/${"b".repeat(253)}`],
  [`a/${"b".repeat(254)}`, "application/octet-stream"],
  ["application/pdf (a pdf)", "application/pdf"],
  ["image/png", "image/png"],
  ["Application/Octet-Stream", "application/octet-stream"],
])("a part of type %s can be sent on as %s", async (written, expected) => {
  const part = `Content-Type: ${written}\nContent-Disposition: attachment; filename=r.txt\n\nabc`
  const { attachments } = await mixed("mixed", plain, part)
  expect(attachments.map(({ contentType }) => contentType)).toEqual([expected])
})

test("a file of unknown type stays one whatever its name, but for a picture that the HTML shows", async () => {
  const file = (name: string, field = "Content-Disposition: attachment") =>
    `Content-Type: application/octet-stream; name=${name}\n${field}\n\nabc`
  const { attachments } = await mixed(
    "mixed",
    plain,
    file("a.html"),
    file("b.ics", ""),
    file("c.png", "Content-ID: <c@d>"),
  )
  expect(attachments.map(({ contentType, disposition }) => [contentType, disposition])).toEqual([
    ["application/octet-stream", "attachment"],
    ["application/octet-stream", "attachment"],
    ["image/png", "attachment"],
  ])
})

test.each(["<a<b@c>", `<${"x".repeat(300)}@c>`])(
  "a Content-ID that cannot be written again is left out: %s",
  async (id) => {
    const { attachments } = await mixed("mixed", plain, `Content-Type: image/png\nContent-ID: ${id}\n\nabc`)
    expect(attachments.map(({ contentId }) => contentId)).toEqual([null])
  },
)

test("text without a charset that is not UTF-8 is read as header fields are", async () => {
  expect((await parseMessage(crlf("From: a@one.test\n\ncaf\xe9"))).text).toContain("café")
  const utf8 = Buffer.from("From: a@one.test\r\n\r\ncafé")
  expect((await parseMessage(utf8)).text).toContain("café")
  const cut = Buffer.from("From: a@one.test\r\n\r\nПривет").subarray(0, -1)
  expect((await parseMessage(cut)).text).toContain("Приве")
})

test.each(["us-ascii", "ASCII", '"us-ascii"', "ANSI_X3.4-1968", "unknown-8bit"])(
  "text of which %s is not true is read likewise",
  async (charset) => {
    const said = `Content-Type: text/plain; charset=${charset}\nContent-Transfer-Encoding: 8bit\n\n`
    expect((await parseMessage(crlf(`From: a@one.test\n${said}caf\xe9`))).text).toContain("café")
    const html = await mixed("alternative", `${said}caf\xe9`, `${said.replace("plain", "html")}<p>caf\xe9</p>`)
    expect([html.text, html.html]).toEqual([expect.stringContaining("café"), expect.stringContaining("café")])
  },
)

test("each part of which the charset is not known is read by its own characters, also when they are encoded", async () => {
  const encoded = (bytes: string) =>
    `Content-Type: text/plain; charset=us-ascii\nContent-Transfer-Encoding: quoted-printable\n\n${bytes}`
  expect((await parseMessage(crlf(`From: a@one.test\n${encoded("caf=E9")}`))).text).toContain("café")
  expect((await parseMessage(crlf(`From: a@one.test\n${encoded("caf=C3=A9")}`))).text).toContain("café")
  const cron = "Content-Type: text/plain; charset=ANSI_X3.4-1968\n\ncaf\xc3\xa9 one"
  const { text } = await mixed("mixed", cron, "Content-Type: text/plain\n\ncaf\xe9 two")
  expect([text]).toEqual([expect.stringMatching(/café one.*café two/s)])
})

test.each([
  ["", "> one \n> two\n>\n>> deep \n> other \nmy \nown", "> one two\n>\n>> deep \n> other \nmy own"],
  ["; delsp=yes", "> one- \n> two\nmy \nown", "> one-two\nmyown"],
  ["", "see \n-- \nAda \nTel", "see \n-- \nAda Tel"],
  ["", " From here\n > 5\n  so", "From here\n> 5\n so"],
])("flowed text%s is whole paragraphs, and quoted lines stay quoted (RFC 3676): %j", async (more, body, expected) => {
  const said = `Content-Type: text/plain; charset=utf-8; format=flowed${more}\n\n${body}`
  expect((await parseMessage(crlf(`From: a@one.test\n${said}`))).text).toBe(expected)
  expect((await mixed("alternative", said, html)).text).toBe(expected)
})

test.each([
  ['<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">\xcf\xf0\xe8\xe2\xe5\xf2', "Привет"],
  ["<html><head><META charset='iso-8859-2'></head>\xb1\xe6\xea", "ąćę"],
  ["<meta charset=utf-8>caf\xe9", "café"],
  ["<meta charset=x-none>caf\xe9", "café"],
  ["<meta name=a><p>charset=windows-1251</p>caf\xe9", "café"],
])("HTML whose charset only its own meta element tells is read so: %j", async (body, expected) => {
  const { html } = await parseMessage(crlf(`From: a@one.test\nContent-Type: text/html\n\n${body}`))
  expect(html).toEndWith(expected)
})

describe("what is in a charset that is not known is UTF-8 where it is valid, else windows-1252", () => {
  const octets = (mark: string, text: string) =>
    text.replace(/[^\x20-\x7e]/g, (one) => `${mark}${one.charCodeAt(0).toString(16).toUpperCase()}`)

  test.each(["x-unknown", "unicode", "ansi_x3.110-1983", "unknown-8bit", "binary", "'none'", ""])(
    "%p: text, words of a header field, file names",
    async (charset) => {
      for (const written of ["caf\xe9", "caf\xc3\xa9"]) {
        const word = `=?${charset}?q?${octets("=", written)}?=`
        const file = (fields: string) => `--b\nContent-Type: application/pdf${fields}\n\n%PDF\n`
        const { subject, from, text, attachments } = await parseMessage(
          crlf(
            `Subject: ${word}\nFrom: ${word} <a@one.test>\nContent-Type: multipart/mixed; boundary=b\n\n` +
              `--b\nContent-Type: text/plain; charset="${charset}"\n\n${written}\n` +
              file(`; name="${word}"`) +
              file(
                `\nContent-Disposition: attachment; filename*=${charset.replaceAll("'", "")}''${octets("%", written)}`,
              ) +
              "--b--\n",
          ),
        )
        const names = attachments.map(({ filename }) => filename)
        expect([subject, from?.name, text, ...names]).toEqual(["café", "café", "café", "café", "café"])
      }
    },
  )

  test("UTF-16 is read as such, and a character that is divided among words is whole", async () => {
    const utf16 = Buffer.from("Žluť", "utf16le").toString("base64")
    const { subject, text } = await parseMessage(
      crlf(
        `From: a@one.test\nSubject: =?x-unknown?q?caf=C3?= =?x-unknown?q?=A9?=\nContent-Type: text/plain; charset=unicode\n` +
          `Content-Transfer-Encoding: base64\n\n${utf16}`,
      ),
    )
    expect([subject, text]).toEqual(["café", "Žluť"])
  })

  test.each(["utf-16", "UTF16", "ucs-2"])(
    "%s is read in either order of its octets (RFC 2781, 4.3)",
    async (charset) => {
      const little = (text: string) => Buffer.from(text, "utf16le")
      for (const order of [little, (text: string) => little(text).swap16()]) {
        for (const mark of ["\ufeff", ""]) {
          const octets = order(`${mark}Žluť`).toString("base64")
          const { subject, text } = await parseMessage(
            crlf(
              `From: a@one.test\nSubject: =?${charset}?B?${octets}?=\nContent-Type: text/plain; charset=${charset}\n` +
                `Content-Transfer-Encoding: base64\n\n${octets}`,
            ),
          )
          expect([subject, text]).toEqual(["Žluť", "Žluť"])
        }
      }
    },
  )

  test.each([
    ["high", "%00H%00%E4%00l%00l%00o"],
    ["low", "H%00%E4%00l%00l%00o%00"],
  ])("a file name in UTF-16 is read with its %s octets first (RFC 2231, 4)", async (_, written) => {
    for (const fields of [
      `filename*=utf-16''${written}`,
      `filename*0*=utf-16''${written.slice(0, 7)};\n filename*1*=${written.slice(7)}`,
    ]) {
      const { attachments } = await parseMessage(
        crlf(`From: a@one.test\nContent-Type: application/pdf\nContent-Disposition: attachment; ${fields}\n\n%PDF\n`),
      )
      expect(attachments.map(({ filename }) => filename)).toEqual(["Hällo"])
    }
  })

  test("text with a zero octet is not UTF-16", async () => {
    expect((await parseMessage(crlf("From: a@one.test\n\nab\0caf\xe9!\n"))).text).toBe("ab\0café!\n")
  })

  test.each([
    ["'iso-8859-1'", "caf\xe9", "café"],
    ["de_DE.UTF-8", "caf\xc3\xa9", "café"],
    ["ISO-8859-2//TRANSLIT", "\xb1", "ą"],
    ["utf-8*fr", "caf\xc3\xa9", "café"],
    ["DOS-862", "\x80", "א"],
    ["iso_8859-1:1987", "caf\xe9", "café"],
    ["csISO2022JP", "\x1b$BF|K\\\x1b(B", "日本"],
    ["eucgb2312_cn", "\xd6\xd0\xce\xc4", "中文"],
    ["big5_tw", "\xa4\xa4\xa4\xe5", "中文"],
    ["x-iso-2022-jp", "\x1b$BF|K\\\x1b(B", "日本"],
  ])("but %p is a known one in disguise", async (charset, written, expected) => {
    const { subject, text } = await parseMessage(
      crlf(
        `From: a@one.test\nSubject: =?${charset}?q?${octets("=", written)}?=\n` +
          `Content-Type: text/plain; charset="${charset}"\n\n${written}`,
      ),
    )
    expect([subject, text]).toEqual([expected, expected])
  })
})

test("the byte order mark before a text is no part of it", async () => {
  const marked = (type: string) => `Content-Type: ${type}; charset=utf-8\n\n\xef\xbb\xbf`
  expect((await parseMessage(crlf(`From: a@one.test\n${marked("text/plain")}STOP`))).text).toBe("STOP")
  const { text, html } = await mixed("alternative", `${marked("text/plain")}STOP`, `${marked("text/html")}<p>STOP</p>`)
  expect([text, html]).toEqual(["STOP", "<p>STOP</p>"])
})

test("what is said to be UTF-8 and has no character of it is windows-1252, and keeps its letters", async () => {
  const sent = (octet: string, text: string) =>
    parseMessage(
      crlf(
        `Subject: =?utf-8?q?Gr=${octet}e?=\nContent-Type: multipart/mixed; boundary=b\n\n` +
          `--b\nContent-Type: text/plain; charset=utf-8\n\n${text}\n` +
          `--b\nContent-Type: application/pdf\nContent-Disposition: attachment; filename*=utf-8''Gr%${octet}e\n\n%PDF\n--b--\n`,
      ),
    )
  const latin = await sent("F6", "Gr\xfc\xdfe")
  expect([latin.subject, latin.text, latin.attachments[0]?.filename]).toEqual(["Gröe", "Grüße", "Gröe"])
  const cut = await sent("C3", "Gr\xc3\xbc\xdfe")
  expect([cut.text]).toEqual(["Gr\u00fc\ufffde"])
})
