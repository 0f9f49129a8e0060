import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { joined } from "../../src/mail/compose/join.ts"

const encode = (text: string): string => Buffer.from(joined([{ quoted: text }])).toString("latin1")

/** Straight from RFC 2045: soft breaks go, `=XX` is an octet. */
const decode = (encoded: string): string =>
  Buffer.from(
    encoded
      .replace(/=\r\n/g, "")
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString()

describe("quoted-printable", () => {
  test.each([
    ["", ""],
    ["plain words, 1 < 2", "plain words, 1 < 2"],
    ["a = b", "a =3D b"],
    ["für €", "f=C3=BCr =E2=82=AC"],
    ["end \r\nand\t", "end=20\r\nand=09"],
    ["\u0000\u007f", "=00=7F"],
    ["a".repeat(76), `${"a".repeat(75)}=\r\n${"a".repeat(1)}`],
    ["🚀".repeat(7), `${"=F0=9F=9A=80".repeat(6)}=\r\n=F0=9F=9A=80`],
  ])("of %j", (text, expected) => {
    expect(encode(text)).toBe(expected)
  })

  test("of any text is short lines of printable ASCII that decode to it", () => {
    const lines = fc.array(fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.string({ maxLength: 300 })), {
      maxLength: 8,
    })
    fc.assert(
      fc.property(lines, (given) => {
        const text = given.map((line) => line.toWellFormed().replace(/[\r\n]/g, "")).join("\r\n")
        const encoded = encode(text)
        expect(decode(encoded)).toBe(text)
        for (const line of encoded.split("\r\n")) {
          expect(line).toMatch(/^[\t\x20-\x7e]{0,76}$/)
          expect(line).not.toMatch(/[\t ]$/)
        }
      }),
      { numRuns: 500 },
    )
  })
})
