import { FileFault } from "./fault.ts"

/** Follows the records of a CSV text that comes in pieces. */
export interface Quotes {
  /** Where the last record that ends in this piece ends, behind its line break; 0 when none does. */
  follow(piece: string): number
  /** The text is over: throws when a quote is still open. */
  end(): void
}

/** Far beyond what a contact may hold; without a limit one open quote would collect the rest of the file. */
const maxRecordLength = 1_048_576

type Place = "start" | "plain" | "quoted" | "quote" | "closed"

const quote = 0x22
const comma = 0x2c
const lineFeed = 0x0a
const isBlank = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0d

/**
 * The parser behind this takes a text of whole records. One pass, whatever is in the file: a quote that is closed in the
 * middle of a cell ends the import here, for the parser would look for another end again and again.
 */
export function createQuotes(): Quotes {
  let place: Place = "start"
  let row = 1
  let length = 0
  let isEmpty = true

  function enter(code: number): Place {
    if (code === lineFeed) {
      if (!isEmpty) row++
      isEmpty = true
      return "start"
    }
    if (isEmpty && !isBlank(code)) isEmpty = false
    if (code === comma) return "start"
    switch (place) {
      case "start":
        return code === quote ? "quoted" : "plain"
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

  return {
    follow(piece) {
      let end = 0
      for (let at = 0; at < piece.length; at++) {
        if (place === "quoted") {
          const closing = piece.indexOf('"', at)
          if (closing < 0) break
          at = closing
          place = "quote"
          continue
        }
        const code = piece.charCodeAt(at)
        place = enter(code)
        if (code === lineFeed) end = at + 1
      }
      length = end > 0 ? piece.length - end : length + piece.length
      if (length > maxRecordLength) throw new FileFault(`Row ${row} is too long, or a quote in it is not closed.`)
      return end
    },
    end() {
      if (place === "quoted") throw new FileFault(`The quote in row ${row} is not closed.`)
    },
  }
}
