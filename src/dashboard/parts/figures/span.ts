import type { DaySpan } from "../../api/analytics.ts"

export const spans = [7, 30, 90] as const
export type SpanDays = (typeof spans)[number]

const dayMs = 86_400_000
const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The days of a span that ends with today, UTC. */
export const spanOf = (days: SpanDays, now: number): DaySpan => ({
  startDate: dateOf(now - (days - 1) * dayMs),
  endDate: dateOf(now),
})

/** The span as a parameter of the URL gives it; 30 days for anything else. */
export const daysIn = (text: string | null): SpanDays => spans.find((one) => String(one) === text) ?? 30
