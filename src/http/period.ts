import { Type } from "@sinclair/typebox"
import { day } from "../kernel/clock.ts"
import { malformed } from "../kernel/errors.ts"
import { about, query } from "./openapi/describe.ts"
import { given, type Query } from "./page.ts"

/** A period in ms, including both ends; an end that was not given is open. */
export interface Period {
  readonly from: number | undefined
  readonly to: number | undefined
}

const form = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/

/** The instant of an ISO timestamp (no zone: UTC) or of the beginning of a day (`YYYY-MM-DD`, UTC), or undefined. */
export function instantIn(text: string): { at: number; isDay: boolean } | undefined {
  const [whole, date, time, seconds = ":00", zone = "Z"] = form.exec(text) ?? []
  if (whole === undefined || date === undefined) return undefined
  const midnight = Date.parse(`${date}T00:00:00Z`)
  // Some parsers read the 30th of February as a day in March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date)) return undefined
  if (time === undefined) return { at: midnight, isDay: true }
  const at = Date.parse(`${date}T${time}${seconds}${zone}`)
  return Number.isNaN(at) ? undefined : { at, isDay: false }
}

function boundIn(query: Query, name: "startDate" | "endDate"): number | undefined {
  const text = given(query[name])
  if (text === undefined) return undefined
  const instant = instantIn(text)
  if (instant === undefined) throw malformed(`${name} must be a day such as 2026-01-31, or an ISO timestamp.`)
  return name === "endDate" && instant.isDay ? instant.at + day - 1 : instant.at
}

/**
 * `startDate` and `endDate` of a query (contract B0.6). @throws {DomainError} 400 for an invalid time and for a start
 * after the end
 */
export function periodIn(query: Query): Period {
  const from = boundIn(query, "startDate")
  const to = boundIn(query, "endDate")
  if (from !== undefined && to !== undefined && from > to) throw malformed("startDate must not be after endDate.")
  return { from, to }
}

/** The parameters of a period, for the document. */
export const periodQuery = query({
  startDate: about("A day (UTC) or an ISO timestamp.", Type.String()),
  endDate: about("A day (UTC), to its end, or an ISO timestamp.", Type.String()),
})
