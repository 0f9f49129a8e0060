/** What other template languages have in the place of helpers, and how it is written here. */
const hints: readonly (readonly [found: RegExp, hint: string])[] = [
  [/^\|(?!\|)/, " There are no filters: write {{name ?? there}} for a default, {{upper name}} for another form."],
  [/^(?:[=!<>`]|&&|\|\|)/, " Conditions are written {{#if (gt age 17)}}, with eq, ne, gt, gte, lt, lte, and, or, not."],
]

/** The message for a position: names the word or the character that is unexpected there. */
export function unexpectedAt(source: string, offset: number): string {
  const rest = source.slice(offset, offset + 60)
  const word = /^(?:[\p{L}\p{N}_.@/-]+|\}+|\{\{[#/~]?\s*[\p{L}\p{N}_-]*|\P{C})/u.exec(rest)
  const code = source.codePointAt(offset)
  if (code === undefined) return "Unexpected end."
  const hint = hints.find(([found]) => found.test(rest))?.[1] ?? ""
  return `Unexpected ${word?.[0] ?? `character U+${code.toString(16).toUpperCase().padStart(4, "0")}`}.${hint}`
}
