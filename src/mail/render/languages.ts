/** The languages of footer, pages, number and month names (contract A7.5). */
// biome-ignore format: one line
export const languages = ["en", "nl", "fr", "hi", "de", "pt", "bg", "cs", "cy", "pl", "es", "it", "zh-TW", "zh-HK", "zh-CN", "ja", "sv"] as const

export type Language = (typeof languages)[number]

/** Chinese without a region is chosen by its script; Macau uses the texts of Hong Kong (contract A7.5). */
const chinese = { zh: "zh-CN", "zh-hans": "zh-CN", "zh-sg": "zh-CN", "zh-hant": "zh-TW", "zh-mo": "zh-HK" } as const

const byTag: ReadonlyMap<string, Language> = new Map<string, Language>([
  ...languages.map((language) => [language.toLowerCase(), language] as const),
  ...Object.entries(chinese),
])

/** The longest language tag, in characters. */
const longestTag = 64

/**
 * The first candidate that names a supported language, exactly or after its last subtags are removed (RFC 4647, 3.4);
 * English when none does. Case is ignored and `pt_BR` is read as `pt-BR`. Values that are not strings, or too long for
 * a tag, are skipped.
 */
export function pickLocale(...candidates: readonly unknown[]): Language {
  for (const candidate of candidates) {
    if (typeof candidate !== "string" || candidate.length > longestTag) continue
    const tag = candidate.trim().toLowerCase().replaceAll("_", "-")
    const language = lookUp(tag)
    if (language !== undefined) return language
  }
  return "en"
}

/** Of an Accept-Language header; what is longer is cut off. */
const longestHeader = 200

/** The best supported language that an Accept-Language header asks for (RFC 9110, 12.5.4); English when it names none. */
export function acceptedLanguage(header: string | null): Language {
  const wishes = (header ?? "")
    .slice(0, longestHeader)
    .split(",")
    .map((wish) => {
      const [tag = "", weight] = wish.split(/;\s*q=/i)
      return { tag: tag.trim(), weight: weight === undefined ? 1 : Number(weight) || 0 }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
  return pickLocale(...wishes.map(({ tag }) => tag))
}

function lookUp(tag: string): Language | undefined {
  const end = tag.lastIndexOf("-")
  return byTag.get(tag) ?? (end < 0 ? undefined : lookUp(tag.slice(0, end)))
}
