import { minute } from "../../kernel/clock.ts"
import { malformed } from "../../kernel/errors.ts"

/** How far back a time may lie and still be meant as now. */
const grace = 1 * minute

/**
 * The time that a request to send names, in ms; null when it says nothing, which means at once. A string or number the
 * ECMAScript date parser takes; without a zone it is UTC (contract B1.4.1). Throws 400 for anything else, and for the past.
 */
export function scheduleIn(scheduledFor: unknown, now: number): number | null {
  if (scheduledFor === undefined || scheduledFor === null) return null
  const at = timeOf(scheduledFor)
  if (Number.isNaN(at))
    throw malformed("scheduledFor must be a point in time, such as 2026-01-31T09:15:00Z, or null to send at once.")
  if (at < now - grace) throw malformed("scheduledFor lies in the past.")
  return at
}

function timeOf(value: unknown): number {
  if (typeof value === "number") return new Date(value).getTime()
  if (typeof value !== "string") return Number.NaN
  const text = value.trim()
  const plain = text.length > longest ? Number.NaN : Date.parse(text)
  if (Number.isNaN(plain) || isoDate.test(text) || zoneAtEnd.test(text)) return plain
  const inUtc = [`${text}Z`, `${text} UTC`].map(Date.parse).find((at) => !Number.isNaN(at))
  return inUtc ?? plain
}

/** No way to write a date is longer. */
const longest = 100
/** The parser takes this form alone for UTC by itself. */
const isoDate = /^[+-]?\d{4,6}(?:-\d{2}){0,2}$/
/** After the time of day: `Z`, a name that the parser knows, or an offset; a remark in brackets may follow. */
const zoneAtEnd = /\d:\d{2}.*?(?:z|ut|utc|gmt|[ecmp][sd]t|[+-]\d{1,2}:?\d{2}|[+-]\d{1,2})\s*(?:\([^)]*\))?\s*$/i
