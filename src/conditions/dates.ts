import { day } from "../kernel/clock.ts"

const instantForm =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d{2}):(\d{2}))?)?$/

/**
 * `YYYY-MM-DD`, midnight UTC, or an ISO timestamp, UTC where it names no zone (contract B2.3.2): milliseconds since the
 * epoch, with fractions. Undefined for anything else, including days that do not exist.
 */
export function parseInstant(text: string): number | undefined {
  const [, year, month, date, hour, minute, second, fraction = "", sign, zoneHour, zoneMinute] =
    instantForm.exec(text) ?? []
  const at = utc(year, month, date, hour, minute, second)
  const zone = utc("1970", "01", "01", zoneHour, zoneMinute)
  if (at === undefined || zone === undefined) return undefined
  const ms = Number(fraction.slice(0, 3).padEnd(3, "0")) + Number(`0.${fraction.slice(3)}`)
  return at + ms + (sign === "-" ? zone : -zone)
}

const stampForm = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{3}))?Z$/

/** A time in a custom field: `YYYY-MM-DDTHH:MM:SSZ`, or with milliseconds, of a real day (contract B2.4.15). */
export function parseStamp(text: string): number | undefined {
  const [, year, month, date, hour, minute, second, ms = "0"] = stampForm.exec(text) ?? []
  const at = utc(year, month, date, hour, minute, second)
  return at === undefined ? undefined : at + Number(ms)
}

/** The first instant of the UTC day. */
export const startOfDay = (at: number): number => Math.floor(at / day) * day

/** The calendar repeats after 400 years; `Date.UTC` reads the years 0 to 99 as 1900 to 1999. */
const cycleYears = 400
const cycleMs = 146_097 * day

function utc(year?: string, month?: string, date?: string, hour = "0", minute = "0", second = "0"): number | undefined {
  if (year === undefined || month === undefined || date === undefined) return undefined
  const [inCycle, monthIndex] = [Number(year) + cycleYears, Number(month) - 1]
  if (monthIndex < 0 || monthIndex > 11 || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return undefined
  const lastDate = new Date(Date.UTC(inCycle, monthIndex + 1, 0)).getUTCDate()
  if (Number(date) < 1 || Number(date) > lastDate) return undefined
  return Date.UTC(inCycle, monthIndex, Number(date), Number(hour), Number(minute), Number(second)) - cycleMs
}
