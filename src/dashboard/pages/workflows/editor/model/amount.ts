/** Commas between groups of three digits, as the dashboard writes them. */
const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/

/** The number that was typed; a comma that groups no thousands is that of a decimal fraction. Undefined for anything else. */
export function numberIn(typed: string): number | undefined {
  const text = typed.trim()
  const value = Number(grouped.test(text) ? text.replaceAll(",", "") : text.replace(",", "."))
  return text === "" || Number.isNaN(value) ? undefined : value
}
