import { LRUCache } from "lru-cache"
import { type Language, pickLocale } from "./languages.ts"

export type NameStyle = "MMMM" | "MMM" | "dddd" | "ddd"

/**
 * The formatters of numbers and dates. Making one is slow, so a bounded number is cached in memory; they never become
 * stale.
 */
export interface Formats {
  /** @param decimals undefined: as many as the number has */
  number(value: number, decimals: number | undefined, locale: string): string
  /** A formatter of year, month, day, hour, minute and second; undefined for an unknown zone. */
  zone(name: string): Intl.DateTimeFormat | undefined
  /**
   * Names of the months from January or of the days from Sunday.
   * @param inDate the form used beside a day of the month, where a language has one (`31 stycznia`, `styczeń`)
   */
  names(style: NameStyle, inDate: boolean, locale: string): readonly string[]
}

/** The number of cached formatters of each kind. */
const cached = 64
/** Names of unknown zones are cached too, so their length is bounded; the longest real one has half of this. */
const longestZone = 64

export function createFormats(): Formats {
  const numbers = new LRUCache<string, Intl.NumberFormat>({ max: cached })
  const zones = new LRUCache<string, Intl.DateTimeFormat | "unknown">({ max: cached })
  const names = new LRUCache<string, readonly string[]>({ max: cached * 4 })

  return {
    number(value, decimals, locale) {
      const language = pickLocale(locale)
      return getOrCreate(numbers, `${language} ${decimals ?? ""}`, () => numberFormat(language, decimals)).format(value)
    },
    zone(name) {
      if (name.length > longestZone) return undefined
      const zone = getOrCreate(zones, name, () => zoneFormat(name))
      return zone === "unknown" ? undefined : zone
    },
    names(style, inDate, locale) {
      const language = pickLocale(locale)
      return getOrCreate(names, `${language} ${style} ${inDate}`, () => namesOf(style, inDate, language))
    },
  }
}

function getOrCreate<V extends object | string>(cache: LRUCache<string, V>, key: string, create: () => V): V {
  const cached = cache.get(key)
  if (cached !== undefined) return cached
  const created = create()
  cache.set(key, created)
  return created
}

const numberFormat = (language: Language, decimals: number | undefined): Intl.NumberFormat =>
  new Intl.NumberFormat(language, {
    minimumFractionDigits: decimals ?? 0,
    maximumFractionDigits: decimals ?? 20,
    // A number that is rounded to zero has no sign.
    signDisplay: "negative",
  })

function zoneFormat(timeZone: string): Intl.DateTimeFormat | "unknown" {
  const fields = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric" } as const
  const options = { ...fields, minute: "numeric", second: "numeric", hourCycle: "h23", timeZone } as const
  try {
    return new Intl.DateTimeFormat("en-US", options)
  } catch {
    return "unknown"
  }
}

function namesOf(style: NameStyle, inDate: boolean, language: Language): readonly string[] {
  const width = style.length === 4 ? "long" : "short"
  if (style.startsWith("d")) return week.map(writer(language, { weekday: width }))
  const alone = year.map(writer(language, { month: width }))
  const beside = year.map(monthWriter(language, width))
  // Bulgarian abbreviates months to a number when alone, Chinese in a date: that is not a name.
  const areNames = (names: readonly string[]) => names.every((name) => /\p{L}/u.test(name))
  return areNames(inDate ? beside : alone) === inDate ? beside : alone
}

// 2023-01-01 was a Sunday.
const week = Array.from({ length: 7 }, (_, day) => Date.UTC(2023, 0, 1 + day))
const year = Array.from({ length: 12 }, (_, month) => Date.UTC(2023, month, 1))

function writer(language: Language, options: Intl.DateTimeFormatOptions): (at: number) => string {
  const format = new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" })
  return (at) => format.format(at)
}

/** Formats the month as in a complete date. */
function monthWriter(language: Language, month: "long" | "short"): (at: number) => string {
  const date = { weekday: "long", day: "numeric", year: "numeric", timeZone: "UTC" } as const
  const format = new Intl.DateTimeFormat(language, { ...date, month })
  return (at) => format.formatToParts(at).find((part) => part.type === "month")?.value ?? ""
}
