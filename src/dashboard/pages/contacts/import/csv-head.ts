/** The first records of a CSV text: double quotes, CRLF or LF, blank lines left out. Cells come trimmed. */
export function firstRecords(text: string, count: number, separator = ","): string[][] {
  const records: string[][] = []
  let record: string[] = []
  let cell = ""
  let quoted = false
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
      cell = ""
    } else if (character === separator) {
      record.push(cell.trim())
      cell = ""
    } else if (character === "\n") endRecord()
    else if (character !== "\r") cell += character
  }
  if (records.length < count && (cell !== "" || record.length > 0)) endRecord()
  return records
}
