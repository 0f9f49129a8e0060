/** The languages of footer, pages, number and month names (contract A7.5). */
// biome-ignore format: one line
export const languages = ["en", "nl", "fr", "hi", "de", "pt", "bg", "cs", "cy", "pl", "es", "it", "zh-TW", "zh-HK", "zh-CN", "ja", "sv"] as const

export type Language = (typeof languages)[number]

const byTag: ReadonlyMap<string, Language> = new Map(languages.map((language) => [language.toLowerCase(), language]))

/** Characters of a language tag. */
const longestTag = 64

/**
 * The first candidate that names a language we have, exactly or by its base language; English when none does. Letter case
 * does not count and `pt_BR` is read as `pt-BR`. Values that are not strings, or too long for a tag, are skipped.
 */
export function pickLocale(...candidates: readonly unknown[]): Language {
  for (const candidate of candidates) {
    if (typeof candidate !== "string" || candidate.length > longestTag) continue
    const tag = candidate.trim().toLowerCase().replaceAll("_", "-")
    const language = byTag.get(tag) ?? byTag.get(tag.split("-", 1)[0] ?? "")
    if (language !== undefined) return language
  }
  return "en"
}
