/**
 * A cell of a CSV file for people. Programs for tables run what begins like this as a formula; a quotation mark before it
 * makes it text.
 */
export const csvText = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)
