import type { ImportJob } from "../../../api/contacts.ts"
import { csvText } from "../../../parts/csv-text.ts"
import { formatReason } from "../jobs/labels.ts"
import { writeCsv } from "./csv.ts"

/**
 * The rejected rows, in ascending order, numbered as in the file: the server has counted without those that were not
 * sent.
 */
export function inFile(errors: ImportJob["errors"], leftOut: readonly number[] = []): ImportJob["errors"] {
  let before = 0
  return errors.map((error) => {
    while ((leftOut[before] ?? Number.POSITIVE_INFINITY) + 2 <= error.row + before) before++
    return { ...error, row: error.row + before }
  })
}

/** The rejected rows, as a CSV text like the original. */
export const writeSkipped = (errors: ImportJob["errors"]): string =>
  writeCsv([
    ["row", "email", "reason"],
    ...errors.map(({ row, email, reason }) => [String(row), csvText(email), formatReason(reason)]),
  ])

/** Downloads a text as a file. */
export function download(fileName: string, text: string): void {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }))
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
