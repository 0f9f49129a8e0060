import { type Clock, minute, second } from "../kernel/clock.ts"
import { DomainError } from "../kernel/errors.ts"

export interface RateLimit {
  /** Counts one request; the headers say how many are left (contract A1.9). Throws 429 when the window is full. */
  take(projectId: string): Record<string, string>
}

interface Window {
  endsAt: number
  count: number
}

/** A window of 60 seconds per project, opened by the first request after the last one ended. `perMinute` 0: no limit. */
export function createRateLimit(perMinute: number, clock: Clock): RateLimit {
  const windows = new Map<string, Window>()
  if (perMinute === 0) return { take: () => ({}) }
  return {
    take(projectId) {
      const now = clock.now()
      let window = windows.get(projectId)
      if (window === undefined || window.endsAt <= now) {
        window = { endsAt: now + minute, count: 0 }
        windows.set(projectId, window)
      }
      window.count++
      const secondsLeft = Math.max(1, Math.ceil((window.endsAt - now) / second))
      const headers = {
        "RateLimit-Limit": String(perMinute),
        "RateLimit-Remaining": String(Math.max(0, perMinute - window.count)),
        "RateLimit-Reset": String(secondsLeft),
      }
      if (window.count <= perMinute) return headers
      throw new RateLimited(headers, secondsLeft)
    },
  }
}

/** Carries the headers of the full window, which the answer shows too. */
export class RateLimited extends DomainError {
  constructor(
    readonly headers: Record<string, string>,
    retryAfter: number,
  ) {
    super("too_many", "RATE_LIMIT_EXCEEDED", `Too many requests: try again in ${retryAfter} seconds.`, {
      details: { retryAfter },
    })
  }
}
