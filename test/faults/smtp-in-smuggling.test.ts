import { expect, test } from "bun:test"
import fc from "fast-check"
import { MessageBody } from "../../src/inbound/message-body.ts"
import { memoryBudget } from "../../src/kernel/memory-budget.ts"
import { startListener, textOf } from "../harness/smtp-listener.ts"

const smuggled = "MAIL FROM:<evil@one.test>\r\nRCPT TO:<b@two.test>\r\nDATA\r\nsmuggled"

/** Sequences that some servers treat as the end of a message, with the stored content. */
const falseEndings: [name: string, wire: string, stored: string][] = [
  ["LF . LF", "\n.\n", "\n.\n"],
  ["LF . CRLF", "\n.\r\n", "\n.\r\n"],
  ["CRLF . LF", "\r\n.\n", "\r\n\n"],
  ["CR . CR", "\r.\r", "\r.\r"],
  ["CR . CRLF", "\r.\r\n", "\r.\r\n"],
  ["CRLF . CR", "\r\n.\r", "\r\n\r"],
  ["LF . CR", "\n.\r", "\n.\r"],
  ["CR . LF", "\r.\n", "\r.\n"],
  ["CRLF . CR CR LF", "\r\n.\r\r\n", "\r\n\r\r\n"],
  ["CR CRLF . CR CR LF", "\r\r\n.\r\r\n", "\r\r\n\r\r\n"],
  ["LF LF . LF", "\n\n.\n", "\n\n.\n"],
  ["CRLF . space CRLF", "\r\n. \r\n", "\r\n \r\n"],
  ["CRLF space . CRLF", "\r\n .\r\n", "\r\n .\r\n"],
  ["CRLF .. CRLF", "\r\n..\r\n", "\r\n.\r\n"],
  ["CRLF NUL . CRLF", "\r\n\0.\r\n", "\r\n\0.\r\n"],
  ["CRLF . NUL CRLF", "\r\n.\0\r\n", "\r\n\0\r\n"],
]

const cuts: [name: string, cut: (bytes: Buffer) => Buffer[]][] = [
  ["in one segment", (bytes) => [bytes]],
  ["byte by byte", (bytes) => Array.from(bytes, (byte) => Buffer.from([byte]))],
]

for (const [how, cut] of cuts) {
  test.each(falseEndings)(`%s does not end a message that comes ${how}`, async (_, wire, stored) => {
    await using listener = await startListener()
    const client = await listener.connect()
    await client.envelope("a@one.test", "b@two.test")
    await client.say("DATA")
    for (const piece of cut(Buffer.from(`before${wire}${smuggled}\r\n.\r\n`))) client.send(piece)
    expect((await client.reply()).text).toBe("250 2.0.0 message-1")
    expect((await client.say("NOOP")).text).toBe("250 2.0.0 OK")
    expect(listener.received).toHaveLength(1)
    expect(listener.received[0]?.mailFrom).toBe("a@one.test")
    expect(textOf(listener.received[0])).toBe(`before${stored}${smuggled}\r\n`)
  })

  test(`CRLF . CRLF ends a message that comes ${how}, and the rest are commands`, async () => {
    await using listener = await startListener()
    const client = await listener.connect()
    await client.envelope("a@one.test", "b@two.test")
    await client.say("DATA")
    for (const piece of cut(Buffer.from("one\r\n.\r\nMAIL FROM:<c@one.test>\r\nRCPT TO:<b@two.test>\r\nDATA\r\n"))) {
      client.send(piece)
    }
    for (const code of [250, 250, 250, 354]) expect((await client.reply()).code).toBe(code)
    // A dot and CRLF as the very first bytes end an empty message.
    for (const piece of cut(Buffer.from(".\r\nNOOP\r\n"))) client.send(piece)
    for (const code of [250, 250]) expect((await client.reply()).code).toBe(code)
    expect(listener.received.map(textOf)).toEqual(["one\r\n", ""])
  })
}

test.each([
  ["a bare LF behind a command", "NOOP\n"],
  ["a bare LF inside a command", "MAIL FROM:<a@one.test>\nRCPT TO:<b@two.test>\r\n"],
  ["an empty line of LF only", "NOOP\r\n\nNOOP\r\n"],
])("%s is refused, because lines end with CRLF", async (_, bytes) => {
  await using listener = await startListener()
  const client = await listener.connect()
  await client.say("EHLO client.test")
  client.send(bytes)
  expect((await client.reply()).text).toBe("500 5.5.2 Lines end with CRLF")
  await client.closed
})

test("line ends are recognized across any division into chunks", async () => {
  await using listener = await startListener()
  const [client, other] = [await listener.connect(), await listener.connect()]
  const inPieces = async (...pieces: readonly string[]) => {
    for (const piece of pieces) {
      client.send(piece)
      // It has read this piece when it answers what another client has sent after it.
      await other.say("NOOP")
    }
  }
  await inPieces(..."NOOP\r\n")
  expect((await client.reply()).code).toBe(250)
  await client.envelope("a@one.test", "b@two.test")
  await inPieces("DATA\r\nhello\r", "\n.\r\n\nNOOP\r\n")
  for (const code of [354, 250, 500]) expect((await client.reply()).code).toBe(code)
  await client.closed
  expect(listener.received.map(textOf)).toEqual(["hello\r\n"])
})

test("a command without its line end is not run when the connection ends", async () => {
  const asked: string[] = []
  await using listener = await startListener({}, { recipient: (address) => void asked.push(address) })
  const client = await listener.connect()
  await client.envelope("a@one.test", "b@two.test")
  client.send("RCPT TO:<half@two.test>")
  client.end()
  await client.closed
  expect(asked).toEqual(["b@two.test"])
})

/**
 * RFC 5321, 4.5.2, as a simple reference implementation: split at CRLF, stop at a dot alone, drop the first dot of a
 * line.
 */
function reference(wire: string): { content: string; rest: string } | undefined {
  const lines = wire.split("\r\n")
  const end = lines.slice(0, -1).indexOf(".")
  if (end < 0) return undefined
  const content = lines.slice(0, end).map((line) => `${line.startsWith(".") ? line.slice(1) : line}\r\n`)
  return { content: content.join(""), rest: lines.slice(end + 1).join("\r\n") }
}

test("any bytes in any chunks are read according to the standard", () => {
  const wires = fc.array(fc.constantFrom("\r", "\n", ".", "\r\n", "\r\n.", "\r\n.\r\n", "a", "bc"), { maxLength: 40 })
  fc.assert(
    fc.property(wires, fc.array(fc.nat(6), { minLength: 1, maxLength: 20 }), (parts, sizes) => {
      const wire = parts.join("")
      const body = new MessageBody(1_000, memoryBudget(100_000), 0)
      let read: { content: string; rest: string } | undefined
      let at = 0
      for (let i = 0; at < wire.length && read === undefined; i++) {
        const next = at + 1 + (sizes[i % sizes.length] ?? 0)
        const end = body.push(Buffer.from(wire.slice(at, next)))
        if (end >= 0) read = { content: Buffer.from(body.content()).toString(), rest: wire.slice(at + end) }
        at = next
      }
      expect(read).toEqual(reference(wire))
    }),
    { numRuns: 2_000 },
  )
})
