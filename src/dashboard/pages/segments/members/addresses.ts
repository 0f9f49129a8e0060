/** A pasted list of addresses. */
export interface Pasted {
  /** Each once, in the order they came. */
  readonly addresses: readonly string[]
  /** Pieces that do not look like an address. */
  readonly invalid: readonly string[]
  readonly repeated: number
}

const shape = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\.]+(?:\.[^\s@<>()[\],;:"\\.]+)+$/

/** Parses lines, commas, semicolons, columns, and `Ada <ada@example.com>`. */
export function readPasted(text: string): Pasted {
  const seen = new Set<string>()
  const addresses: string[] = []
  const invalid: string[] = []
  let repeated = 0
  for (const piece of text.split(/[\n\r,;\t]+/)) {
    const trimmed = piece.trim()
    if (trimmed === "") continue
    const found = addressesIn(trimmed)
    if (found.length === 0) invalid.push(trimmed)
    for (const address of found) {
      const key = address.toLowerCase()
      if (seen.has(key)) repeated++
      else {
        seen.add(key)
        addresses.push(address)
      }
    }
  }
  return { addresses, invalid, repeated }
}

function addressesIn(piece: string): string[] {
  const named = /<([^<>]*)>\s*$/.exec(piece)?.[1]?.trim()
  if (named !== undefined) return shape.test(named) ? [named] : []
  return piece
    .split(/\s+/)
    .map((part) => part.replace(/^["'(]+|["').]+$/g, "").replace(/^mailto:/i, ""))
    .filter((part) => shape.test(part))
}

/** Lists of at most `size`, in order. */
export function chunks<T>(list: readonly T[], size: number): T[][] {
  const all: T[][] = []
  for (let from = 0; from < list.length; from += size) all.push(list.slice(from, from + size))
  return all
}
