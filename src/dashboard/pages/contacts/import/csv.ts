/** A record for each line that is not blank, a cell for each column. */
type Records = string[][]

/**
 * The first records of a CSV text: double quotes, CRLF or LF, blank lines left out. Cells are trimmed. Where a quote is
 * never closed, the line that opens it.
 */
export function recordsOf(text: string, separator: string, count = Number.POSITIVE_INFINITY): Records | number {
  const records: Records = []
  let record: string[] = []
  let cell = ""
  let quoted = false
  let openedAt = 0
  const endRecord = () => {
    record.push(cell.trim())
    if (record.some((value) => value !== "")) records.push(record)
    record = []
    cell = ""
  }
  for (let at = 0; at < text.length && records.length < count; at++) {
    const character = text[at]
    if (quoted) {
      if (character !== '"') cell += character
      else if (text[at + 1] === '"') cell += text[at++]
      else quoted = false
    } else if (character === '"' && cell.trim() === "") {
      quoted = true
      openedAt = at
      cell = ""
    } else if (character === separator) {
      record.push(cell.trim())
      cell = ""
    } else if (character === "\n") endRecord()
    else if (character !== "\r") cell += character
  }
  if (records.length >= count) return records
  if (quoted) return text.slice(0, openedAt).split("\n").length
  if (cell !== "" || record.length > 0) endRecord()
  return records
}

/** A CSV text with commas (RFC 4180). */
export const writeCsv = (records: readonly (readonly string[])[]): string =>
  records.map((record) => record.map(writeCell).join(",")).join("\r\n")

const writeCell = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
