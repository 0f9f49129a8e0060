import type { Period } from "../../http/period.ts"
import { day } from "../../kernel/clock.ts"

/** Days (UTC) counted from the epoch: from the first to before another. */
export interface Days {
  readonly from: number
  readonly to: number
}

const longest = 90
const usual = 30

/** The days of a period: 30 with today by default, and 90 at most, for which the start is moved (contract B7.2). */
export function daysOf({ from, to }: Period, now: number): Days {
  const last = Math.floor((to ?? now) / day)
  const first = from === undefined ? last - usual + 1 : Math.floor(from / day)
  return { from: Math.max(first, last - longest + 1), to: last + 1 }
}

/** The span of the same length before. */
export const before = ({ from, to }: Days): Days => ({ from: from - (to - from), to: from })

/** `2026-01-31`. */
export const dateOf = (at: number): string => new Date(at * day).toISOString().slice(0, 10)

export const eachDay = ({ from, to }: Days): number[] => Array.from({ length: to - from }, (_, at) => from + at)
