import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { type Cells, countRecords, readRecords } from "../../src/modules/imports/csv.ts"
import { workedMs } from "../harness/processor-time.ts"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function recordsOf(file: string | Uint8Array, size = 65_536): Promise<Cells[]> {
  const records: Cells[] = []
  const bytes = typeof file === "string" ? bytesOf(file) : file
  for await (const batch of readRecords(inPieces(bytes, size))) records.push(...batch)
  return records
}

const trimmed = (records: Cells[]): string[][] => records.map((cells) => cells.map((cell) => cell.trim()))

describe("a CSV file", () => {
  test.each([
    [
      "LF",
      "a,b\nc,d\n",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "CRLF",
      "a,b\r\nc,d\r\n",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "CRLF and LF in one file",
      "a,b\r\nc,d\ne,f\r\n",
      [
        ["a", "b"],
        ["c", "d"],
        ["e", "f"],
      ],
    ],
    [
      "no line break at the end",
      "a,b\nc,d",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "a byte order mark",
      "\ufeffa,b\nc,d",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "a byte order mark before a quote",
      '\ufeff"a",b\nc,d',
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "blank lines",
      "\n\r\na,b\n\n  \nc,d\n\n",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "a line of commas, which is not blank",
      "a,b\n,\n",
      [
        ["a", "b"],
        ["", ""],
      ],
    ],
    [
      "quotes",
      '"a","b"\n"c","d"',
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    ["commas and quotes within quotes", 'a,"b, ""c"""\n', [["a", 'b, "c"']]],
    [
      "line breaks within quotes",
      'a,"b\nc"\nd,"e\r\nf"\n',
      [
        ["a", "b\nc"],
        ["d", "e\r\nf"],
      ],
    ],
    ["an empty quoted cell", 'a,""\n', [["a", ""]]],
    ["white space behind a closing quote", 'a,"b" \r\n"c"\t,d\n"e"', [["a", "b"], ["c", "d"], ["e"]]],
    [
      "quoted cells before CRLF",
      'a,"b"\r\nc,"d"\r\n',
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    ["a quote in the middle of a cell", 'a,5" pipe\n', [["a", '5" pipe']]],
    ["white space before an opening quote", ' "a", "b, ""c""" ,\t"d"\r\n "e"', [["a", 'b, "c"', "d"], ["e"]]],
    [
      "what looks like it inside of quotes",
      'x, "y"\n"a, ""b"", c",d\n',
      [
        ["x", "y"],
        ['a, "b", c', "d"],
      ],
    ],
    [
      "quotes inside of plain cells beside it",
      '5" pipe, "a"\n6" rod,b\n',
      [
        ['5" pipe', "a"],
        ['6" rod', "b"],
      ],
    ],
    ["rows of different lengths", "a,b\nc\nd,e,f\n", [["a", "b"], ["c"], ["d", "e", "f"]]],
    [
      "letters of all the world",
      "é,ö\n日本,💌\n",
      [
        ["é", "ö"],
        ["日本", "💌"],
      ],
    ],
    ["nothing", "", []],
    ["nothing but blank lines", "\ufeff\r\n \n", []],
  ])("with %s", async (_, text, want) => {
    const bytes = bytesOf(text)
    for (const size of [1, 2, 3, 7, 65_536]) expect(trimmed(await recordsOf(bytes, size))).toEqual(want)
  })

  test.each([
    ["Latin 1", [0x61, 0xe9, 0x0a]],
    ["a character cut off at the end", [0x61, 0x0a, 0xc3]],
    ["UTF-16", [0xff, 0xfe, 0x61, 0x00]],
    ["an overlong form", [0xc0, 0xaf]],
    ["half a surrogate pair", [0xed, 0xa0, 0x80]],
  ])("that is not UTF-8 is refused: %s", async (_, bytes) => {
    for (const size of [1, 65_536]) await expect(recordsOf(Uint8Array.from(bytes), size)).rejects.toThrow("UTF-8")
  })

  test.each([
    ["at the end of the file", 'a,b\nc,"d\ne,f\n', "row 2"],
    ["at the very end", 'a,b\nc,"', "row 2"],
    ["after an escaped quote", 'a,"b""', "row 1"],
    ["behind blank lines", '\n\na,b\n\nc,"d', "row 2"],
  ])("with a quote that stays open is refused: %s", async (_, text, row) => {
    for (const size of [1, 65_536]) await expect(recordsOf(text, size)).rejects.toThrow(`${row} is not closed`)
  })

  test.each([
    ["text", 'a,b\nc,"d"e\n', "Row 2"],
    ["text after a space", '"a" b,c\n', "Row 1"],
    ["another quote after a space", 'a,"b" "c"\n', "Row 1"],
  ])("with %s after a closing quote is refused", async (_, text, row) => {
    for (const size of [1, 65_536]) await expect(recordsOf(text, size)).rejects.toThrow(row)
  })

  test("with a row of more than a megabyte is refused, in any chunks", async () => {
    const text = `a,b\n"${"x".repeat(1_100_000)}`
    for (const size of [4_096, 65_536]) await expect(recordsOf(text, size)).rejects.toThrow("Row 2")
  })

  test("is read back as written, in any chunks", async () => {
    const cell = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('"', ",", "\n", "\r\n", " ", "a", "é", "💌"), maxLength: 8 }),
    )
    const record = fc.array(cell, { minLength: 2, maxLength: 5 })
    const written = fc.record({
      records: fc.array(record, { maxLength: 6 }),
      lineBreak: fc.constantFrom("\n", "\r\n"),
      ends: fc.boolean(),
      size: fc.integer({ min: 1, max: 40 }),
    })
    await fc.assert(
      fc.asyncProperty(written, async ({ records, lineBreak, ends, size }) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
        const lines = records.map((cells) => cells.map(quoted).join(","))
        const text = lines.join(lineBreak) + (ends ? lineBreak : "")
        expect(await recordsOf(text, size)).toEqual(records)
      }),
    )
  })

  test("is read or refused for any content, and the same in any chunks", async () => {
    const text = fc.string({ unit: fc.constantFrom('"', ",", "\n", "\r", " ", "\ufeff", "a"), maxLength: 60 })
    const outcome = (file: string, size: number) =>
      recordsOf(file, size).then(
        (records) => JSON.stringify(trimmed(records)),
        (cause: Error) => cause.message,
      )
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 10 }), async (file, size) => {
        expect(await outcome(file, size)).toBe(await outcome(file, 65_536))
      }),
      { numRuns: 2_000 },
    )
  })

  test("is counted as it is read, or refused with the same message, in any chunks", async () => {
    const units = ['"', '""', ",", "\n", "\r\n", " ", "\t", "a", "\u00a0", "\u2028", "\ufeff", "\v", "\0", "é", "💌"]
    const text = fc.string({ unit: fc.constantFrom(...units), maxLength: 40 })
    const counted = (file: string, size: number) => {
      const seen: Cells[] = []
      return countRecords(inPieces(bytesOf(file), size), (first) => seen.push(first)).then(
        (records) => ({ records, seen: trimmed(seen) }),
        (cause: Error) => cause.message,
      )
    }
    const read = (file: string) =>
      recordsOf(file).then(
        (records) => ({ records: records.length, seen: trimmed(records.slice(0, 1)) }),
        (cause: Error) => cause.message,
      )
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 10 }), async (file, size) => {
        expect(await counted(file, size)).toEqual(await read(file))
      }),
      { numRuns: 3_000 },
    )
  })

  test("that is made to slow down the parser is read in linear time", async () => {
    const files = [
      `${'"'.repeat(2_000_000)}\n`,
      `"${'a"'.repeat(200_000)}${" ".repeat(500_000)}\n`,
      `a,b\n${'"a" ,'.repeat(200_000)}\n`,
      `${",".repeat(900_000)}\n`,
      `"${"\n".repeat(900_000)}"\n`,
    ]
    const started = workedMs()
    for (const file of files) await recordsOf(file).catch(() => {})
    expect(workedMs() - started).toBeLessThan(5_000)
  })
})

describe("A row (contract A5.15.3)", () => {
  const limit = 1_048_576
  const row = (bytes: number, character = "x") => `a,${character.repeat((bytes - 2) / Buffer.byteLength(character))}`

  test.each([
    ["with a line after it", (long: string) => `head,b\n${long}\nc,d\n`],
    ["at the end", (long: string) => `head,b\n${long}`],
  ])("has up to 1 MB: %s", async (_, file) => {
    for (const size of [4_096, 65_536, 4 * limit])
      for (const character of ["x", "é"]) {
        expect(await recordsOf(file(row(limit, character)), size)).not.toEqual([])
        const longer = file(`${row(limit, character)}y`)
        await expect(recordsOf(longer, size)).rejects.toThrow("Row 2 is too long")
      }
  })
})
