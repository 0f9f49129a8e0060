import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { simpleParser } from "mailparser"
import { startTestApp, type TestApp } from "../harness/app.ts"

const plain = { to: "ada@example.com", from: "hi@acme.test", subject: "Hi", body: "<p>Hi</p>" }

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

/** Sends, and resolves to the record and the sent bytes. */
async function leave(body: object) {
  const answer = await it.api("POST /v1/send", { body: { ...plain, ...body } })
  expect([answer.status, answer.body.error]).toEqual([200, undefined])
  const [{ email: id }] = answer.body.data.emails
  await it.settle()
  const message = it.sent().find((one) => one.id === id)
  if (message === undefined) throw new Error(`${id} has not left`)
  const raw = Buffer.from(message.mime())
  const parsed = await simpleParser(raw, { keepCidLinks: true, skipTextLinks: true })
  const { body: record } = await it.api(`GET /emails/${id}`)
  return { raw: raw.toString("latin1"), parsed, record }
}

/** A media type, with its parts when it has any. */
type Tree = string | readonly Tree[]

/** The parts of a message, parsed by RFC 2046. */
function treeOf(raw: string): Tree {
  const end = raw.indexOf("\r\n\r\n")
  const head = raw.slice(0, end).replace(/\r\n[ \t]+/g, " ")
  const [, type = "none"] = /^content-type:\s*([^;\s]+)/im.exec(head) ?? []
  const [, boundary] = /^content-type:.*boundary="?([^";]+)"?/im.exec(head) ?? []
  if (boundary === undefined) return type
  const [, ...parts] = raw.slice(end).split(`\r\n--${boundary}`)
  expect(parts.at(-1)).toStartWith("--")
  return [type, ...parts.slice(0, -1).map((part) => treeOf(part.replace(/^\r\n/, "")))]
}

const text = { filename: "a.txt", contentType: "text/csv", content: Buffer.from("a,b").toString("base64") }
const picture = {
  filename: "logo.png",
  contentType: "image/png",
  content: Buffer.from([137, 80, 78, 71, 0, 255]).toString("base64"),
  contentId: "logo@acme",
  disposition: "inline",
}
const both = ["multipart/alternative", "text/plain", "text/html"] as const

describe("The parts of a message (contract A7.2.1)", () => {
  test.each<[string, object[], Tree]>([
    ["nothing", [], both],
    ["an attachment", [text], ["multipart/mixed", both, "text/csv"]],
    ["a picture", [picture], ["multipart/related", both, "image/png"]],
    ["both", [text, picture], ["multipart/mixed", ["multipart/related", both, "image/png"], "text/csv"]],
    [
      "several of each, in their order",
      [picture, text, { ...picture, contentType: "image/gif", contentId: "2" }, { ...text, contentType: "text/html" }],
      ["multipart/mixed", ["multipart/related", both, "image/png", "image/gif"], "text/csv", "text/html"],
    ],
    [
      "an attachment with a content id, which is no picture of the body",
      [{ ...text, contentId: "a" }],
      ["multipart/mixed", both, "text/csv"],
    ],
  ])("with %s", async (_, attachments, expected) => {
    const { raw } = await leave({ attachments })
    expect(treeOf(raw)).toEqual(expected)
  })

  test("are UTF-8, and arrive unchanged", async () => {
    const body = "<p>Grüße, Łukasz 💌 漢字</p>\n<p>.</p>\n.\n<p>From here</p>"
    const { raw, parsed } = await leave({ body })
    const types = [...raw.matchAll(/Content-Type: (text\/[^\r]+)/g)].map((match) => match[1])
    expect(types).toEqual(["text/plain; charset=utf-8", "text/html; charset=utf-8"])
    expect(parsed.html).toContain(body)
    expect(parsed.text?.trim()).toBe("Grüße, Łukasz 💌 漢字\n\n.\n\n.\n\nFrom here")
  })

  test("contain attachments with name, type, bytes and disposition", async () => {
    const bytes = Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 7) % 256))
    const report = {
      filename: "Übersicht – 報告.pdf",
      contentType: "application/pdf",
      content: bytes.toString("base64"),
    }
    const { parsed } = await leave({ body: '<img src="cid:logo@acme">', attachments: [report, picture] })
    expect(parsed.html).toContain('src="cid:logo@acme"')
    const shown = parsed.attachments.map(({ filename, contentType, contentDisposition, cid, content }) => [
      filename,
      contentType,
      contentDisposition,
      cid,
      content.toString("base64"),
    ])
    expect(shown.toSorted()).toEqual([
      ["logo.png", "image/png", "inline", "logo@acme", picture.content],
      [report.filename, "application/pdf", "attachment", undefined, report.content],
    ])
  })
})

describe("The HTML of a message (contract A7.2.1)", () => {
  test("is wrapped in a minimal document when it is a fragment", async () => {
    const { parsed, record } = await leave({ body: "<p>Hi {{name}}</p>", data: { name: "Ada" } })
    expect(parsed.html).toMatch(
      /^<!DOCTYPE html>\s*<html>\s*<head>.*<\/head>\s*<body>\s*<p>Hi Ada<\/p>[\s\S]*<\/body>\s*<\/html>\s*$/,
    )
    expect(record.html).toContain("<p>Hi Ada</p>")
  })

  test.each([
    '<!doctype html><html lang="nl"><head><title>T</title></head><body><p>Hi</p>',
    "<HTML><BODY><p>Hi</p>",
    "<!-- no document type --><html><p>Hi</p>",
  ])("is not changed when it is one: %s", async (start) => {
    const { parsed } = await leave({ body: `${start}</body></html>` })
    expect(parsed.html).toStartWith(start)
    expect(String(parsed.html).match(/<html/gi)).toHaveLength(1)
  })

  test("is a document if a variable makes it one", async () => {
    const body = "{{{page}}}"
    const { parsed } = await leave({
      body,
      data: { page: { value: "<html><body>Own</body></html>", persistent: false } },
    })
    expect(String(parsed.html).match(/<html/gi)).toHaveLength(1)
  })
})

describe("The text of a message (contract A7.2.2)", () => {
  test("is made from the rendered HTML", async () => {
    const { parsed, record } = await leave({
      body: `<html><head><title>No</title><style>p { color: red }</style></head><body>
        <script>no()</script>
        <h1>Thank you, {{name}}</h1>
        <p>Line one<br>line&nbsp;two &amp; more</p>
        <ul><li>First</li><li>Second</li></ul>
        <p><a href="https://acme.test/?a=1&amp;b=2">Your order</a> or <a href="https://acme.test/">https://acme.test/</a></p>
        <p><img src="https://acme.test/logo.png" alt="Acme"></p>
      </body></html>`,
      data: { name: "<Ada> & Bo" },
    })
    const expected = [
      "Thank you, <Ada> & Bo",
      "",
      "Line one",
      "line two & more",
      "",
      "- First",
      "- Second",
      "",
      "Your order (https://acme.test/?a=1&b=2) or https://acme.test/",
      "",
      "Acme",
    ].join("\n")
    expect(record.text).toBe(expected)
    expect(parsed.text?.trim()).toBe(expected)
  })

  test("exists, and is empty, when the HTML has no text", async () => {
    const { raw, record } = await leave({ body: "<p></p>" })
    expect(treeOf(raw)).toEqual(both)
    expect(record.text).toBe("")
  })
})
