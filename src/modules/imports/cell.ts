const truths: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["yes", true],
  ["false", false],
  ["no", false],
])

const numberForm = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/

/**
 * The value of a cell (contract A5.16.4). Leading zeros, a plus sign, scientific notation and numbers beyond 2^53-1
 * stay text, so that no digit is lost. Dates are stored as text too: the type of their field marks them as dates.
 */
export function readCell(text: string): string | number | boolean {
  if (text.length <= 5) {
    const truth = truths.get(text.toLowerCase())
    if (truth !== undefined) return truth
  }
  if (!mayBeNumber(text) || !numberForm.test(text)) return text
  const number = Number(text)
  const isExact = Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number)
  if (!isExact) return text
  return number === 0 ? 0 : number
}

/** By the first character: most cells are not numbers, and the pattern takes longer. */
function mayBeNumber(text: string): boolean {
  const first = text.charCodeAt(0)
  return first === 0x2d || (first >= 0x30 && first <= 0x39)
}
