import { describe, expect, test } from "bun:test"
import { parseMessage } from "../../src/inbound/parse.ts"

const crlf = (text: string) => Buffer.from(text.replace(/\n/g, "\r\n"), "latin1")

/** What is shown of a message, and the names and types of its files. */
async function read(message: string) {
  const { text, html, attachments, complete } = await parseMessage(crlf(`From: a@one.test\n${message}`))
  const files = attachments.map(({ filename, contentType }) => [filename, contentType])
  return { text: text?.trim() ?? null, html: html?.trim() ?? null, files, complete }
}
const shown = { text: null, html: null, files: [], complete: true }

describe("a type in an unusual form is understood", () => {
  test.each([
    ["without a semicolon, as in scripts", "text/html charset=iso-8859-1", { html: "caf\u00e9" }],
    ["without a type", "html; charset=iso-8859-1", { html: "caf\u00e9" }],
    ["in a word of its own", "plain", { text: "caf\u00e9" }],
    ["with comments (RFC 2045, 5.1)", "text/html (page; old); charset=iso-8859-1 (Latin 1)", { html: "caf\u00e9" }],
  ])("%s", async (_, type, expected) => {
    expect(await read(`Content-Type: ${type}\n\ncaf\xe9\n`)).toEqual({ ...shown, ...expected })
    const part = `--b\nContent-Description: A part\nContent-Type: ${type}\n\ncaf\xe9\n--b--\n`
    expect(await read(`Content-Type: multipart/mixed; boundary=b\n\n${part}`)).toEqual({ ...shown, ...expected })
  })

  test.each(["multipart/mixed boundary=b", 'multipart/mixed (parts); boundary="b" (a "b")'])(
    "also that of a message of parts: %s",
    async (type) => {
      expect(await read(`Content-Type: ${type}\n\n--b\n\nHello\n--b--\n`)).toEqual({ ...shown, text: "Hello" })
    },
  )
})

test.each([
  "Content-Type:\n",
  "Content-Type: \n",
  "Content-Type: ; charset=utf-8\n",
  "Content-Type:\nContent-Type: text/html\n",
])("a part whose type is empty is text (RFC 2045, 5.2): %j", async (field) => {
  const parts = `--b\n${field}\nHello\n--b\nContent-Type: application/pdf; name=a.pdf\n\n%PDF\n--b--\n`
  expect(await read(`Content-Type: multipart/mixed; boundary=b\n\n${parts}`)).toEqual({
    ...shown,
    text: "Hello",
    files: [["a.pdf", "application/pdf"]],
  })
})

test("a file name without quotes keeps its brackets", async () => {
  const part = "--b\nContent-Type: application/pdf (a pdf); name=Invoice (2).pdf\n\n%PDF\n--b--\n"
  expect((await read(`Content-Type: multipart/mixed; boundary=b\n\n${part}`)).files).toEqual([
    ["Invoice (2).pdf", "application/pdf"],
  ])
})

test.each(['"quoted-printable"', "quoted-printable;", "'Quoted-Printable'", "quoted-printable (as ever)"])(
  "a part whose transfer encoding is written %s is decoded",
  async (encoding) => {
    const fields = `Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: ${encoding}\n\n`
    expect((await read(`${fields}caf=C3=A9\n`)).text).toBe("caf\u00e9")
  },
)

test.each(["x-uuencode", "uuencode", "x-uue"])("a file in the transfer encoding %s is decoded", async (encoding) => {
  const fields = `Content-Type: application/octet-stream; name=cat.bin\nContent-Transfer-Encoding: ${encoding}\n\n`
  const part = `--b\n${fields}begin 644 cat.bin\n#0V%T\n\`\nend\n--b--\n`
  const { attachments } = await parseMessage(crlf(`Content-Type: multipart/mixed; boundary=b\n\n${part}`))
  expect(attachments.map(({ content }) => Buffer.from(content).toString())).toEqual(["Cat"])
})
