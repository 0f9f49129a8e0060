import type { Clock } from "./clock.ts"

interface Limited {
  readonly until: number
  readonly expire: () => void
}

/**
 * Calls each callback after `ms`, unless it was cancelled by then. A single timer serves all of them, because there are
 * many per second and hardly any is ever called. None is called after `abort`.
 */
export function createDeadlines(clock: Clock, ms: number, abort: AbortSignal) {
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

  /** Returns a function that cancels the call. */
  return (expire: () => void): (() => void) => {
    const limited = { until: clock.now() + ms, expire }
    pending.add(limited)
    if (!isWatching) void watch()
    return () => void pending.delete(limited)
  }
}

/** Awaits promises for at most `ms` each, after which it rejects with `error()`. After `abort` there is no limit. */
export function createTimeLimit(clock: Clock, ms: number, error: () => Error, abort: AbortSignal) {
  const atDeadline = createDeadlines(clock, ms, abort)
  return async <T>(work: Promise<T>): Promise<T> => {
    const { promise, reject } = Promise.withResolvers<never>()
    const takeBack = atDeadline(() => reject(error()))
    try {
      return await Promise.race([work, promise])
    } finally {
      takeBack()
    }
  }
}
