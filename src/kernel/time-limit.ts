import type { Clock } from "./clock.ts"

interface Limited {
  readonly until: number
  readonly expire: () => void
}

/**
 * Waits for promises, but for none longer than `ms`: it then rejects with `error()`. One timer serves them all, because
 * many are begun in a second and hardly any is ever late. No limit holds after `abort`.
 */
export function createTimeLimit(clock: Clock, ms: number, error: () => Error, abort: AbortSignal) {
  /** In the order in which they expire. */
  const pending = new Set<Limited>()
  let isWatching = false

  async function watch(): Promise<void> {
    isWatching = true
    for (const limited of pending) {
      await clock.sleep(Math.max(0, limited.until - clock.now()), abort)
      if (abort.aborted) break
      if (pending.delete(limited)) limited.expire()
    }
    isWatching = false
  }

  return async <T>(work: Promise<T>): Promise<T> => {
    const { promise, reject } = Promise.withResolvers<never>()
    const limited = { until: clock.now() + ms, expire: () => reject(error()) }
    pending.add(limited)
    if (!isWatching) void watch()
    try {
      return await Promise.race([work, promise])
    } finally {
      pending.delete(limited)
    }
  }
}
