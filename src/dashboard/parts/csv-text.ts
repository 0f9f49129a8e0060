/**
 * A cell of a CSV file for spreadsheets, which evaluate text that begins like this as a formula; an apostrophe before
 * it makes it text.
 */
export const csvText = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)
