// What papaparse does not report: white space before a quote (the quote is then text, and a comma after it a separator),
// lines that end with CR alone, records of unequal length, and bytes that are not UTF-8, since it takes text. It does
// report wrong quotes, but `createQuotes` refuses them before it is called, so its `errors` are always empty.
import Papa from "papaparse"
import { FileFault } from "./fault.ts"
import { createQuotes, type Quotes } from "./quotes.ts"

/** The cells of one record, as in the file. */
export type Cells = readonly string[]

/**
 * The records of a CSV file without blank lines (contract A5.16), one batch for each piece of it. Throws a `FileFault`
 * where the file is not UTF-8 or a quote is not closed.
 */
export async function* readRecords(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Cells[]> {
  for await (const text of wholeRecords(pieces, createQuotes())) yield parse(text)
}

/** Counts the same records, which costs less than parsing them, and calls `onHeader` with the first one as soon as it is read. */
export async function countRecords(
  pieces: AsyncIterable<Uint8Array>,
  onHeader: (first: Cells) => void,
): Promise<number> {
  const quotes = createQuotes()
  let first: Cells | undefined
  for await (const text of wholeRecords(pieces, quotes)) {
    if (first !== undefined) continue
    first = parse(text)[0]
    if (first !== undefined) onHeader(first)
  }
  return quotes.end()
}

/** Text that ends at the end of a record, for each piece of a file. */
async function* wholeRecords(pieces: AsyncIterable<Uint8Array>, quotes: Quotes): AsyncGenerator<string> {
  let rest = ""
  for await (const piece of decoded(pieces)) {
    const end = quotes.follow(piece)
    if (end === 0) {
      rest += piece
      continue
    }
    yield rest + piece.slice(0, end)
    rest = piece.slice(end)
  }
  quotes.end()
  if (rest !== "") yield `${rest}\n`
}

async function* decoded(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  const decode = (piece?: Uint8Array): string => {
    try {
      return piece ? decoder.decode(piece, { stream: true }) : decoder.decode()
    } catch {
      throw new FileFault("The file is not UTF-8. Save it as CSV UTF-8.")
    }
  }
  for await (const piece of pieces) yield decode(piece)
  yield decode()
}

/**
 * With LF alone as line break, a CR before it is white space of the last cell, so files may mix both. The parser would
 * remove a byte order mark from every text; that of the file has been removed already, and any other is white space.
 */
const parse = (text: string): Cells[] =>
  Papa.parse<string[]>(atQuotes(text.startsWith("\ufeff") ? `\n${text}` : text), {
    delimiter: ",",
    newline: "\n",
  }).data.filter((cells) => cells.length > 1 || cells[0]?.trim() !== "")

/** The parser recognises a quote only as the first character of a cell, and cells are trimmed (contract A5.16.1). */
const atQuotes = (text: string): string => (blankBeforeQuote.test(text) ? text.replace(cell, "$1") : text)

const blankBeforeQuote = /(?:^|[,\n])[ \t\r]+"/
/** A cell with its separator, after the white space before it. */
const cell = /[ \t\r]*((?:"[^"]*(?:""[^"]*)*")?[^,\n]*(?:[,\n]|$))/g
