import type { ImportJob } from "../../../api/contacts.ts"
import { formatReason } from "../jobs/labels.ts"

/** The rows that were left out, as a CSV text like the one they came in. */
export const writeSkipped = (errors: ImportJob["errors"]): string =>
  [["row", "email", "reason"], ...errors.map(({ row, email, reason }) => [String(row), email, formatReason(reason)])]
    .map((cells) => cells.map(quoted).join(","))
    .join("\r\n")

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** Hands a text over as a file. */
export function download(fileName: string, text: string): void {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }))
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
