import { type Language, pickLocale } from "../../mail/render/index.ts"

const longest = 200

/** The language that a browser requests (RFC 9110, 12.5.4), for unknown visitors. */
export function languageOf(request: Request): Language {
  const wishes = (request.headers.get("accept-language") ?? "")
    .slice(0, longest)
    .split(",")
    .map((wish) => {
      const [tag = "", weight] = wish.split(/;\s*q=/i)
      return { tag: tag.trim(), weight: weight === undefined ? 1 : Number(weight) || 0 }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
  return pickLocale(...wishes.map(({ tag }) => tag))
}
