import { type Clock, second } from "../../kernel/clock.ts"

/**
 * A token bucket per key: `perSecond` messages a second, at most one second's worth at once. 0 is no limit. The buckets
 * are in memory: each process limits its own hand-overs, and a new one starts with full buckets.
 */
export interface Throttle {
  /** How many of `wanted` messages may be sent now. */
  available(key: string, wanted: number): number
  take(key: string, count: number): void
}

interface Bucket {
  tokens: number
  at: number
}

export function createThrottle(perSecond: number, clock: Clock): Throttle {
  if (perSecond === 0) return { available: (_, wanted) => wanted, take: () => {} }
  const capacity = Math.max(1, perSecond)
  const buckets = new Map<string, Bucket>()
  const bucketOf = (key: string): Bucket => {
    const now = clock.now()
    const bucket = buckets.get(key) ?? { tokens: capacity, at: now }
    // If the clock was set back, no time has passed.
    const passed = Math.max(0, now - bucket.at)
    bucket.tokens = Math.min(capacity, bucket.tokens + (passed / second) * perSecond)
    bucket.at = now
    buckets.set(key, bucket)
    return bucket
  }
  return {
    available: (key, wanted) => Math.min(wanted, Math.floor(bucketOf(key).tokens)),
    take(key, count) {
      bucketOf(key).tokens -= count
    },
  }
}
