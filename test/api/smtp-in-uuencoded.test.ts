import { expect, test } from "bun:test"
import { parseMessage } from "../../src/inbound/parse.ts"
import { workedMs } from "../harness/processor-time.ts"

const message = (...lines: string[]) => Buffer.from(["From: a@one.test", "", ...lines, ""].join("\r\n"), "latin1")
/** "Cat" and "Hello world, this is a uuencoded file of mine" as `uuencode` writes them. */
const cat = ["begin 644 cat.txt", "#0V%T", "`", "end"]
const mine = "M2&5L;&\\@=V]R;&0L('1H:7,@:7,@82!U=65N8V]D960@9FEL92!O9B!M:6YE"

/** What is shown of a message, and its files with their content. */
async function read(...lines: string[]) {
  const { text, attachments } = await parseMessage(message(...lines))
  return {
    text: text?.trim() ?? null,
    files: attachments.map(({ filename, contentType, content }) => [
      filename,
      contentType,
      Buffer.from(content).toString(),
    ]),
  }
}

test("files that are uuencoded in a text are attachments, and no part of it", async () => {
  expect(
    await read(
      "The reports:",
      "",
      ...cat,
      "",
      "and",
      "",
      "begin 755 a b/c.bin",
      mine.replace("M", "L"),
      " ",
      "end",
      "Bye",
    ),
  ).toEqual({
    text: "The reports:\n\n\nand\n\nBye",
    files: [
      ["cat.txt", "text/plain", "Cat"],
      ["a b_c.bin", "application/octet-stream", "Hello world, this is a uuencoded file of min"],
    ],
  })
  expect(await read(...cat)).toEqual({ text: null, files: [["cat.txt", "text/plain", "Cat"]] })
})

test("a file is read without the blanks at the ends of its lines, and with a checksum", async () => {
  const zeros = ["begin 644 z.bin", "#", "", "end"]
  expect((await read("Hi", ...zeros)).files).toEqual([["z.bin", "application/octet-stream", "\0\0\0"]])
  expect((await read("Hi", "begin 644 c.bin", "#0V%T3", " ", "end")).files).toEqual([
    ["c.bin", "application/octet-stream", "Cat"],
  ])
})

test.each([
  ["an end that is missing", ["begin 644 cat.txt", "#0V%T", "`"]],
  ["a line of the wrong length", ["begin 644 cat.txt", "#0V%T0V%T", "`", "end"]],
  ["a line with other characters", ["begin 644 cat.txt", "#0v%t", "`", "end"]],
  ["no line at all", ["begin 644 cat.txt", "end"]],
  ["no mode", ["begin work on Monday", "#0V%T", "`", "end"]],
  ["a mark of quoting", cat.map((line) => `> ${line}`)],
])("a text with %s is only a text", async (_, lines) => {
  expect(await read("Hi", ...lines, "Bye")).toEqual({ text: ["Hi", ...lines, "Bye"].join("\n"), files: [] })
})

test("a text beside HTML is left as it is", async () => {
  const raw = Buffer.from(
    [
      "From: a@one.test",
      "Content-Type: multipart/alternative; boundary=b",
      "",
      "--b",
      "",
      ...cat,
      "--b",
      "Content-Type: text/html",
      "",
      "<pre>",
      "--b--",
    ].join("\r\n"),
  )
  const { text, attachments } = await parseMessage(raw)
  expect([text, attachments]).toEqual([cat.join("\n"), []])
})

test.each([
  ["first lines", "begin 644 a\n".repeat(400_000)],
  ["files without end", `begin 644 a\n${"#0V%T\n".repeat(100)}`.repeat(8_000)],
  ["files", "begin 644 a\n#0V%T\n`\nend\n".repeat(150_000)],
])("a text full of %s is read in time", async (_, body) => {
  const before = workedMs()
  await parseMessage(message(body.replaceAll("\n", "\r\n")))
  expect(workedMs() - before).toBeLessThan(3_000)
})
