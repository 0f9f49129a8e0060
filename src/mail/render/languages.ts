/** The languages of footer, pages, number and month names (contract A7.5). */
// biome-ignore format: one line
export const languages = ["en", "nl", "fr", "hi", "de", "pt", "bg", "cs", "cy", "pl", "es", "it", "zh-TW", "zh-HK", "zh-CN", "ja", "sv"] as const

export type Language = (typeof languages)[number]

const byTag: ReadonlyMap<string, Language> = new Map(languages.map((language) => [language.toLowerCase(), language]))

/** Of a wish that can be one. */
const longestTag = 64

/**
 * The first of the wishes that names a language we have, exactly or by its base language; English when none does.
 * Letter case does not count and `pt_BR` is read as `pt-BR`. What is no string, or longer than a tag, is no wish.
 */
export function pickLocale(...wishes: readonly unknown[]): Language {
  for (const wish of wishes) {
    if (typeof wish !== "string" || wish.length > longestTag) continue
    const tag = wish.trim().toLowerCase().replaceAll("_", "-")
    const language = byTag.get(tag) ?? byTag.get(tag.split("-", 1)[0] ?? "")
    if (language !== undefined) return language
  }
  return "en"
}
