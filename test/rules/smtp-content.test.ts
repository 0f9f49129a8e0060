import { expect, test } from "bun:test"
import fc from "fast-check"
import { type Content, chunkContent, dataContent } from "../../plugins/smtp/client/content.ts"
import { givenMessageId } from "../../plugins/smtp/client/message-id.ts"
import { createReplyReader, type Reply } from "../../plugins/smtp/client/replies.ts"

const whole = (content: Content): Buffer =>
  Buffer.concat(Array.from({ length: content.count }, (_, at) => content.slice(at)))

/** Octets that matter to the ends of lines, and an ordinary one. */
const octets = fc.array(fc.constantFrom(..."\r\n.a"), { maxLength: 60 }).map((parts) => Buffer.from(parts.join("")))

/** What a server makes of the content, which takes any CR or LF for the end of a line if it is `lenient`. */
function received(wire: Buffer, lenient: boolean): string | undefined {
  const text = lenient
    ? wire.toString("latin1").replace(/\r\n?|\n/g, "\n")
    : wire.toString("latin1").replaceAll("\r\n", "\n")
  const end = `\n${text}`.indexOf("\n.\n")
  // Nothing may follow the end: it would be read as commands.
  if (end !== text.length - 2) return undefined
  return text.slice(0, end).replace(/(^|\n)\./g, "$1")
}

test("content after DATA is what was given, and ends where it ends", () => {
  fc.assert(
    fc.property(octets, (bytes) => {
      const text = bytes.toString("latin1").replace(/\r\n?|\n/g, "\r\n")
      const given = text === "" || text.endsWith("\r\n") ? text : `${text}\r\n`
      expect(received(whole(dataContent(Buffer.from(text))), false)).toBe(given.replaceAll("\r\n", "\n"))
    }),
  )
})

test("a CR or LF alone never lets content end early, whatever a server takes for a line end", () => {
  fc.assert(fc.property(octets, (bytes) => expect(received(whole(dataContent(bytes)), true)).toBeDefined()))
})

test.each([65_534, 65_535, 65_536, 65_537, 131_072])("a dot that begins a line at octet %p is doubled once", (at) => {
  const text = `${"x".repeat(at - 2)}\r\n.\r\n${"y".repeat(70_000)}\r\n`
  const expected = `${"x".repeat(at - 2)}\r\n..\r\n${"y".repeat(70_000)}\r\n.\r\n`
  expect(whole(dataContent(Buffer.from(text))).toString()).toBe(expected)
})

test("a chunk has the size of its content and changes nothing", () => {
  for (const size of [0, 1, 65_536, 65_537, 200_000]) {
    const bytes = Buffer.alloc(size, ".\r\n")
    expect(whole(chunkContent(bytes)).equals(Buffer.concat([Buffer.from(`BDAT ${size} LAST\r\n`), bytes]))).toBe(true)
  }
})

test("replies are the same however they are cut", () => {
  const text = "220 hi\r\n250-één\n250-two\r\n250 three\r\n354\n550-5.1.1 no\r\n550 5.1.1 such\r\n"
  const bytes = Buffer.from(text)
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (sizes) => {
      const replies: Reply[] = []
      const reader = createReplyReader((reply) => replies.push(reply))
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const size = sizes[turn % sizes.length] ?? 1
        expect(reader.feed(bytes.subarray(at, at + size))).toBeUndefined()
        at += size
      }
      expect(reader.isMidway).toBe(false)
      expect(replies.map(({ code }) => code)).toEqual([220, 250, 354, 550])
      expect(replies[1]?.lines).toEqual(["250-één", "250-two", "250 three"])
    }),
  )
})

test.each([
  ["250 2.0.0 OK <AB12@EUR01.prod.outlook.com> [Hostname=x]", "smtp.office365.com", "AB12@EUR01.prod.outlook.com"],
  [
    "250 Ok 0100018B5C3C-0a4f-11-000000",
    "email-smtp.eu-west-1.amazonaws.com",
    "0100018b5c3c-0a4f-11-000000@eu-west-1.amazonses.com",
  ],
  ["250 Ok 0100018b-0a4f-000000", "email-smtp.us-east-1.amazonaws.com", "0100018b-0a4f-000000@email.amazonses.com"],
  ["250 Ok 0100018b-0a4f-000000", "mail.shop.test", null],
  ["250 2.0.0 Ok: queued as 1A2B", "email-smtp.eu-west-1.amazonaws.com", null],
])("the reply %j of %s gives the Message-ID %p", (reply, host, id) => {
  expect(givenMessageId(reply, host)).toBe(id)
})
