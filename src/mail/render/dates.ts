import type { NameStyle } from "./formats.ts"
import { charge, chargeText, type Run, refuseOversized } from "./run.ts"

const isoText = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i

/** The longest text that is parsed as an instant, surrounding spaces included. */
const longestInstant = 100

/** Epoch milliseconds of a number or an ISO 8601 text (without zone: UTC); undefined for anything else. */
export function parseInstant(value: unknown): number | undefined {
  if (typeof value === "string" && value.length > longestInstant) return undefined
  const at = typeof value === "string" ? parseIso(value.trim()) : value
  return typeof at === "number" && inCalendar(at) ? at : undefined
}

/** Years 1 to 9999. */
const inCalendar = (at: number): boolean => at >= -62_135_596_800_000 && at <= 253_402_300_799_999

function parseIso(text: string): number | undefined {
  const [, day = "", time = "00:00", zone = "Z"] = isoText.exec(text) ?? []
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // Invalid days would otherwise roll over to the next month.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return undefined
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase()
  const at = Date.parse(`${day}T${time}${offset}`)
  return Number.isNaN(at) ? undefined : at
}

interface Fields {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

const token = /YYYY|YY|MMMM|MMM|MM|M|DD|D|dddd|ddd|HH|H|mm|ss/g

/**
 * Formats an instant by a pattern of contract A3.3; undefined when the zone does not exist.
 * @throws {RenderFault} when the pattern or its result is too long
 */
export function formatInstant(at: number, pattern: string, zone: string, run: Run): string | undefined {
  refuseOversized(run, pattern.length)
  chargeText(run, pattern)
  const fields = fieldsOf(at, zone, run)
  if (fields === undefined) return undefined
  const inDate = pattern.includes("D")
  const name = (style: NameStyle, index: number) => run.formats.names(style, inDate, run.locale)[index] ?? ""
  const write = (found: string): string => {
    switch (found) {
      case "YYYY":
        return String(fields.year).padStart(4, "0")
      case "YY":
        return twoDigits(fields.year % 100)
      case "MMMM":
      case "MMM":
        return name(found, fields.month - 1)
      case "MM":
        return twoDigits(fields.month)
      case "M":
        return String(fields.month)
      case "DD":
        return twoDigits(fields.day)
      case "D":
        return String(fields.day)
      case "dddd":
      case "ddd":
        return name(found, weekdayOf(fields))
      case "HH":
        return twoDigits(fields.hour)
      case "H":
        return String(fields.hour)
      case "mm":
        return twoDigits(fields.minute)
      default:
        return twoDigits(fields.second)
    }
  }
  let length = pattern.length
  return pattern.replace(token, (found) => {
    charge(run, 1)
    const written = write(found)
    length += written.length - found.length
    refuseOversized(run, length)
    return written
  })
}

const twoDigits = (value: number): string => String(value).padStart(2, "0")

/** 0 is Sunday. */
function weekdayOf({ year, month, day }: Fields): number {
  const date = new Date(0)
  // Date.UTC would read the years before 100 as those of the 20th century.
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCDay()
}

function fieldsOf(at: number, zone: string, run: Run): Fields | undefined {
  const parts = run.formats.zone(zone)?.formatToParts(at)
  if (parts === undefined) return undefined
  const field = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value)
  return {
    ...{ year: field("year"), month: field("month"), day: field("day") },
    ...{ hour: field("hour"), minute: field("minute"), second: field("second") },
  }
}
