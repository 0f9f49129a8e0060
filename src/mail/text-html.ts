/** A plain text as HTML that looks the same: lines, paragraphs and indents are kept, nothing in it is markup. */
export const htmlFromText = (text: string): string =>
  Bun.escapeHTML(text.replace(/\r\n?/g, "\n"))
    .replace(/^ +| {2,}/gm, (blanks) => "&nbsp;".repeat(blanks.length - 1) + (blanks.length > 0 ? " " : ""))
    .replaceAll("\n", "<br>\n")
