import { type Clock, isAhead, minute, second } from "../kernel/clock.ts"
import { DomainError } from "../kernel/errors.ts"
import type { KeyKind } from "./auth.ts"
import { HttpRefusal } from "./envelope.ts"

export interface RateLimit {
  /**
   * Counts one request; the returned headers contain the remaining number (contract A1.9). @throws {DomainError} 429
   * when the window is full
   */
  take(projectId: string, kind: KeyKind): Record<string, string>
}

interface RateLimits {
  /** 0: no limit at all. */
  readonly requestsPerMinute: number
  /** The limit of requests with the public key among them. 0: no separate limit. */
  readonly publicRequestsPerMinute: number
}

interface Window {
  endsAt: number
  count: number
  publicCount: number
}

/** The number of projects beyond which those whose window has ended are removed. */
const sweepAt = 1_000

const isOpen = ({ endsAt }: Window, now: number): boolean => isAhead(endsAt, now, minute)

/** A window of 60 seconds per project; the first request after the last window opens the next one. */
export function createRateLimit(limits: RateLimits, clock: Clock): RateLimit {
  const most = limits.requestsPerMinute
  const mostPublic = Math.min(most, limits.publicRequestsPerMinute || most)
  const windows = new Map<string, Window>()
  if (most === 0) return { take: () => ({}) }

  function windowOf(projectId: string, now: number): Window {
    const known = windows.get(projectId)
    if (known !== undefined && isOpen(known, now)) return known
    if (windows.size >= sweepAt) for (const [id, window] of windows) if (!isOpen(window, now)) windows.delete(id)
    const opened = { endsAt: now + minute, count: 0, publicCount: 0 }
    windows.set(projectId, opened)
    return opened
  }

  return {
    take(projectId, kind) {
      const now = clock.now()
      const window = windowOf(projectId, now)
      const left = Math.min(most - window.count, kind === "public" ? mostPublic - window.publicCount : most)
      if (left > 0) {
        window.count++
        if (kind === "public") window.publicCount++
      }
      const secondsLeft = Math.max(1, Math.ceil((window.endsAt - now) / second))
      const headers = {
        "RateLimit-Limit": String(kind === "public" ? mostPublic : most),
        "RateLimit-Remaining": String(Math.max(0, left - 1)),
        "RateLimit-Reset": String(secondsLeft),
      }
      if (left > 0) return headers
      throw new HttpRefusal(exceeded(secondsLeft), headers)
    },
  }
}

const exceeded = (retryAfter: number): DomainError =>
  new DomainError("too_many", "RATE_LIMIT_EXCEEDED", `Too many requests: try again in ${retryAfter} seconds.`, {
    details: { retryAfter },
  })
