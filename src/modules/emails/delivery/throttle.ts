import { type Clock, second } from "../../../kernel/clock.ts"

/**
 * A token bucket per key: `perSecond` messages a second, at most one second's worth, rounded up, at once. 0 is no limit. The
 * buckets are in memory: each process limits its own hand-overs, and a new one starts with full buckets.
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

/** Keys are pruned beyond this number: those with a full bucket, which a new key has too, are forgotten. */
const sweepAt = 1_000

export function createThrottle(perSecond: number, clock: Clock): Throttle {
  if (perSecond === 0) return { available: (_, wanted) => wanted, take: () => {} }
  const capacity = Math.ceil(perSecond)
  const buckets = new Map<string, Bucket>()
  function tokensIn({ tokens, at }: Bucket, now: number): number {
    // If the clock was set back, no time has passed.
    const all = tokens + (Math.max(0, now - at) / second) * perSecond
    // The fraction is kept: otherwise a rate of 1.9 per second, checked once a second, would be a rate of 1.
    return all < capacity + 1 ? all : capacity + (all % 1)
  }

  function bucketOf(key: string): Bucket {
    const now = clock.now()
    const known = buckets.get(key)
    if (known === undefined && buckets.size >= sweepAt) dropFull(now)
    const bucket = { tokens: known ? tokensIn(known, now) : capacity, at: now }
    buckets.set(key, bucket)
    return bucket
  }

  function dropFull(now: number): void {
    for (const [key, bucket] of buckets) if (tokensIn(bucket, now) >= capacity) buckets.delete(key)
  }

  return {
    available: (key, wanted) => Math.min(wanted, Math.floor(bucketOf(key).tokens)),
    take(key, count) {
      bucketOf(key).tokens -= count
    },
  }
}
