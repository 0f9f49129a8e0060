import type { ParsedSource } from "./compile-source.ts"

/** Puts the source text of a number into JSON unchanged (ES2026); missing from the library types of TypeScript. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown }

/**
 * Properties of the tree that are only used in the messages of faults, or not at all: a source without faults does not
 * need them.
 */
const dropped: ReadonlySet<string> = new Set(["loc", "strip", "openStrip", "inverseStrip", "closeStrip", "trusting"])

/**
 * A source that was compiled without faults, as text that another thread reads within milliseconds: a structured clone
 * of the tree would take a hundred times as long.
 */
export const pack = (parsed: ParsedSource): string =>
  JSON.stringify(parsed, (key, value) => {
    if (dropped.has(key)) return undefined
    // JSON.stringify writes Infinity as null, but a number with too many digits is parsed as Infinity.
    return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY
      ? rawJson(value > 0 ? "1e999" : "-1e999")
      : value
  })

export const unpack = (packed: string): ParsedSource => JSON.parse(packed)
