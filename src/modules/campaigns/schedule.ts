import { instantIn } from "../../http/period.ts"
import { minute } from "../../kernel/clock.ts"
import { malformed } from "../../kernel/errors.ts"

/** How far a time may lie in the past and still be accepted as due (contract B1.4.1). */
const grace = 1 * minute

/**
 * The time in a request to send, in ms; null when it has none, which means at once. A string or number that the
 * ECMAScript date parser accepts; without a zone it is UTC (contract B1.4.1). @throws {DomainError} 400 for anything
 * else and the past
 */
export function scheduleIn(scheduledFor: unknown, now: number): number | null {
  if (scheduledFor === undefined || scheduledFor === null) return null
  const at = timeOf(scheduledFor)
  // Years from 10000 on have more digits, which most programs cannot parse.
  if (Number.isNaN(at) || at > lastTime)
    throw malformed("scheduledFor must be a point in time, such as 2026-01-31T09:15:00Z, or null to send at once.")
  if (at < now - grace) throw malformed("scheduledFor lies in the past.")
  return at
}

function timeOf(value: unknown): number {
  if (typeof value === "number") return new Date(value).getTime()
  if (typeof value !== "string") return Number.NaN
  const text = value.trim()
  if (text.length > maxLength || namesNoDay(text)) return Number.NaN
  const plain = Date.parse(text)
  if (Number.isNaN(plain) || isoDate.test(text) || zoneAtEnd.test(text)) return plain
  const inUtc = [`${text}Z`, `${text} UTC`].map(Date.parse).find((at) => !Number.isNaN(at))
  return inUtc ?? plain
}

/** Whether a text has a date that does not exist, such as 30 February, which the parser reads as a day in March. */
function namesNoDay(text: string): boolean {
  const { year, month, day } = dateIn(text) ?? {}
  if (year === undefined || month === undefined || day === undefined) return false
  return instantIn(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`) === undefined
}

/** The parts of a date in the forms that the parser knows: year first, month first, or with the name of the month. */
function dateIn(text: string): { year?: string | undefined; month?: string; day?: string | undefined } | undefined {
  const numbers = yearFirst.exec(text) ?? monthFirst.exec(text)
  if (numbers) return numbers.groups
  const name = monthName.exec(text)?.[0].toLowerCase()
  if (name === undefined) return undefined
  const [, year] = /(?<![\d:+])(\d{4})(?!\d)/.exec(text) ?? []
  const [, day] = /(?<![\d:+])(\d{1,2})(?![\d:])/.exec(text) ?? []
  return { year, month: String(months.indexOf(name) + 1), day }
}

const yearFirst = /(?<!\d)(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<day>\d{1,2})(?!\d)/
const monthFirst = /(?<!\d)(?<month>\d{1,2})[-/](?<day>\d{1,2})[-/](?<year>\d{4})(?!\d)/
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
const monthName = new RegExp(`(?<![a-z])(?:${months.join("|")})`, "i")

const lastTime = Date.parse("9999-12-31T23:59:59.999Z")
/** The length beyond which a text is not parsed. */
const maxLength = 100
/** The only form without a zone that the parser reads as UTC. */
const isoDate = /^[+-]?\d{4,6}(?:-\d{2}){0,2}$/
/**
 * A zone at the end: a name that the parser knows, with or without an offset; or `Z` or an offset directly after the
 * time of day or a blank, since a hyphen elsewhere may belong to a date. A comment in parentheses may follow.
 */
const zoneAtEnd =
  /(?:\d:\d{2}(?:.*\s|[\d:.]*(?:[ap]m)?)(?:z|[+-]\d{1,2}:?\d{2}|[+-]\d{1,2})|\b(?:ut|utc|gmt|[ecmp][sd]t)(?:[+-]\d{1,2}(?::?\d{2})?)?)\s*(?:\([^)]*\))?$/i
