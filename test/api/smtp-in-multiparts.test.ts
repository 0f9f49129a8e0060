import { expect, test } from "bun:test"
import { parseMessage } from "../../src/inbound/parse.ts"

const crlf = (text: string) => Buffer.from(text.replace(/\n/g, "\r\n"), "latin1")
const of = (kind: string, boundary: string) => `Content-Type: multipart/${kind};\n boundary="${boundary}"\n\n`
const html = "Content-Type: text/html\n\n<p>Hello</p>\n"
const pdf = "Content-Type: application/pdf; name=a.pdf\n\n%PDF\n"
const png = "Content-Type: image/png; name=b.png\nContent-ID: <b>\n\nPNG\n"

/** What is shown of a message, and its files with their content. */
async function read(message: string) {
  const { text, html, attachments, complete } = await parseMessage(crlf(`From: a@one.test\n${message}`))
  const files = attachments.map(({ filename, content }) => [filename, Buffer.from(content).toString()])
  return { text, html, files, complete }
}

test.each([
  [
    "before the next part",
    `${of("mixed", "out")}--out\n${of("alternative", "in")}--in\n\nHello\n--in\n${html}--out\n${pdf}--out--\n`,
  ],
  [
    "before the end",
    `${of("mixed", "out")}--out\n${pdf}--out\n${of("alternative", "in")}--in\n\nHello\n--in\n${html}--out--\nBehind the end`,
  ],
])("a multipart that is never closed ends with the one around it, %s (RFC 2046, 5.1.2)", async (_, message) => {
  const files = [["a.pdf", "%PDF"]]
  expect(await read(message)).toEqual({ text: "Hello", html: "<p>Hello</p>", files, complete: true })
})

test("several that are never closed end with the one around them", async () => {
  const inner = `--mid\n${of("alternative", "in")}--in\n\nHello\n--in\n${html}`
  const message = `${of("mixed", "out")}--out\n${of("related", "mid")}${inner}--out\n${pdf}--out--\n`
  expect((await read(message)).files).toEqual([["a.pdf", "%PDF"]])
  const skipped = `${of("mixed", "out")}--out\n${of("related", "mid")}${inner}--mid\n${png}--out\n${pdf}--out--\n`
  expect(await read(skipped)).toEqual({
    text: "Hello",
    html: "<p>Hello</p>",
    files: [
      ["b.png", "PNG"],
      ["a.pdf", "%PDF"],
    ],
    complete: true,
  })
})

test("a message that is attached keeps its own structure, whatever is missing in it", async () => {
  const attached = `From: b@two.test\n${of("mixed", "deep")}--deep\n${of("alternative", "in")}--in\n\nHi\n--deep--`
  const { files } = await read(
    `${of("mixed", "out")}--out\nContent-Type: message/rfc822\n\n${attached}\n--out\n${pdf}--out--\n`,
  )
  expect(files).toEqual([
    ["part-1.eml", attached.replace(/\n/g, "\r\n")],
    ["a.pdf", "%PDF"],
  ])
})

test.each([
  ["mixed before digest", "mixed", "digest", { text: "Hello", files: [] }],
  ["digest before mixed", "digest", "mixed", { text: null, files: [["part-1.eml", "Hello"]] }],
])("the first of two types of a message counts: %s", async (_, first, second, expected) => {
  const types = `Content-Type: multipart/${first}; boundary=b\nContent-Type: multipart/${second}; boundary=b\n\n`
  expect(await read(`${types}--b\n\nHello\n--b--\n`)).toMatchObject(expected)
})

test("the first of two types of a part counts", async () => {
  const types = "Content-Type: text/calendar; method=REQUEST\nContent-Type: text/calendar; method=CANCEL\n\n"
  const { attachments } = await parseMessage(crlf(`${of("mixed", "b")}--b\n${types}BEGIN:VCALENDAR\n--b--\n`))
  expect(attachments.map(({ contentType }) => contentType)).toEqual(["text/calendar; method=REQUEST"])
})

test("a text that quotes the head of a digest makes no messages of the parts around it", async () => {
  const quoted = "It began with\nContent-Type: multipart/digest; boundary=b"
  expect(await read(`${of("mixed", "b")}--b\n\n${quoted}\n--b\n${pdf}--b--\n`)).toMatchObject({
    text: quoted,
    files: [["a.pdf", "%PDF"]],
  })
})

test("text in alternatives of its own is shown beside HTML that was added to it", async () => {
  const alone = `${of("alternative", "in")}--in\n\nHello\n--in--\n`
  const added = html.replace("Hello", "Scanned")
  const shown = await read(`${of("mixed", "out")}--out\n${alone}--out\n${added}--out--\n`)
  expect([shown.text, shown.html]).toEqual([null, "<pre>Hello</pre><br/>\n<p>Scanned</p>"])
})
