import { hasRightToLeft } from "./right-to-left.ts"

/**
 * A plain text as HTML that looks the same: lines, paragraphs and indents are kept, nothing in it is markup. Where it has
 * letters that are written from right to left, each line has its own direction, as programs show plain text.
 */
export function htmlFromText(text: string): string {
  const lines = text.replace(/\r\n?/g, "\n")
  const escaped = Bun.escapeHTML(lines).replace(
    /^ +| {2,}/gm,
    (blanks) => "&nbsp;".repeat(blanks.length - 1) + (blanks.length > 0 ? " " : ""),
  )
  if (!hasRightToLeft(lines)) return escaped.replaceAll("\n", "<br>\n")
  return escaped.replace(/^.*$/gm, (line) => (line === "" ? "<br>" : `<div dir="auto">${line}</div>`))
}

/** A plain text as a document for display: its lines are kept, and its direction is that of its first letters. */
export const textDocument = (text: string): string =>
  `<pre dir="auto" style="white-space:pre-wrap">${Bun.escapeHTML(text)}</pre>`
