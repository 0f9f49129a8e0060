import { FileFault } from "./fault.ts"

/** Tracks the records of a CSV text that arrives in pieces. */
export interface Quotes {
  /** The end of the last record that ends in this piece, after its line break; 0 when none does. */
  follow(piece: string): number
  /**
   * To be called at the end of the text: throws when a quote is still open. Returns the number of records, without
   * blank lines.
   */
  end(): number
}

/**
 * The most bytes of a record without its line break (contract A5.15.3): far beyond the limit of a contact, but without one an
 * open quote would collect the rest of the file.
 */
const maxRecordBytes = 1_048_576

/** The index of a text, infinity when it is not found. */
function indexFrom(text: string, part: string, from: number): number {
  const at = text.indexOf(part, from)
  return at < 0 ? Number.POSITIVE_INFINITY : at
}

/** The position within a cell. */
type State = "start" | "plain" | "quoted" | "quote" | "closed"

const quote = 0x22
const comma = 0x2c
const lineFeed = 0x0a
const isBlank = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0d
/** Whether `trim` removes the character. */
const isSpace = (code: number): boolean =>
  isBlank(code) || ((code < 0x20 || code >= 0xa0) && String.fromCharCode(code).trim() === "")

/**
 * Finds the ends of records, because the parser takes a text of complete records. It makes one pass over any file: text
 * after a closing quote is refused here, because the parser would search the rest of the file for another closing quote
 * each time.
 */
export function createQuotes(): Quotes {
  let state: State = "start"
  let row = 1
  /** The bytes of the record so far that came with earlier pieces. */
  let earlier = 0
  /** Whether the record so far is one cell of only white space, in quotes or not. */
  let isEmpty = true

  function enter(code: number): State {
    if (code === lineFeed) {
      if (!isEmpty) row++
      isEmpty = true
      return "start"
    }
    if (state === "start") {
      if (code === quote) return "quoted"
      if (isBlank(code)) return "start"
    }
    if (isEmpty && !isSpace(code)) isEmpty = false
    if (code === comma) return "start"
    switch (state) {
      case "start":
      case "plain":
        return "plain"
      case "quoted":
        return "quoted"
      case "quote":
        if (code === quote) return "quoted"
        if (isBlank(code)) return "closed"
        break
      case "closed":
        if (isBlank(code)) return "closed"
    }
    throw new FileFault(`Row ${row} has text behind a closing quote.`)
  }

  /** @throws {FileFault} when the record is too long with what this piece has of it */
  function refuseLong(piece: string, from: number, to: number): void {
    // No character has more than three bytes for each of its units.
    if (earlier + 3 * (to - from) <= maxRecordBytes) return
    if (earlier + Buffer.byteLength(piece.slice(from, to)) > maxRecordBytes)
      throw new FileFault(`Row ${row} is too long, or a quote in it is not closed.`)
  }

  return {
    follow(piece) {
      let end = 0
      let nextQuote = indexFrom(piece, '"', 0)
      for (let at = 0; at < piece.length; at++) {
        if (state === "quoted") {
          const closing = piece.indexOf('"', at)
          if (isEmpty) isEmpty = piece.slice(at, closing < 0 ? undefined : closing).trim() === ""
          if (closing < 0) break
          at = closing
          state = "quote"
          continue
        }
        // A line without quotes is skipped at once, which is many times faster.
        if (at === end && (state === "start" || state === "plain")) {
          if (nextQuote < at) nextQuote = indexFrom(piece, '"', at)
          const feed = indexFrom(piece, "\n", at)
          if (feed < nextQuote) {
            if (isEmpty) isEmpty = piece.slice(at, feed).trim() === ""
            at = feed
          }
        }
        const code = piece.charCodeAt(at)
        if (code === lineFeed) {
          refuseLong(piece, end, at)
          earlier = 0
          end = at + 1
        }
        state = enter(code)
      }
      refuseLong(piece, end, piece.length)
      earlier += Buffer.byteLength(piece.slice(end))
      return end
    },
    end() {
      if (state === "quoted") throw new FileFault(`The quote in row ${row} is not closed.`)
      return isEmpty ? row - 1 : row
    },
  }
}
