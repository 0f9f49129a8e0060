import type { ParsedSource } from "./compile-source.ts"

/** Puts a number into JSON as it is written (ES2026); the library of TypeScript does not have it yet. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown }

/** What only the messages of faults need, of which a source that was compiled has none, and what nobody reads. */
const dropped: ReadonlySet<string> = new Set(["loc", "strip", "openStrip", "inverseStrip", "closeStrip", "trusting"])

/**
 * A source that was compiled without a fault, as a text that another thread reads within some milliseconds: cloning its
 * tree would take a hundred times as long.
 */
export const pack = (parsed: ParsedSource): string =>
  JSON.stringify(parsed, (key, value) => {
    if (dropped.has(key)) return undefined
    // JSON.stringify makes null of it, but what it reads from too many digits is the same.
    return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY
      ? rawJson(value > 0 ? "1e999" : "-1e999")
      : value
  })

export const unpack = (packed: string): ParsedSource => JSON.parse(packed)
