import type { Clock } from "./clock.ts"

/**
 * How much longer an answer is waited for when its time is over, in ms. A process that stood still, in a paused container
 * or on a suspended machine, runs its timers before it reads what has come meanwhile: without this, an answer that is
 * there already would count as none.
 */
export const lastLookMs = 250

/** Calls back when the time for an answer is over. Returns a function that cancels this. */
export function whenOverdue(ms: number, overdue: () => void): () => void {
  let timer = setTimeout(() => {
    timer = setTimeout(overdue, lastLookMs)
  }, ms)
  return () => clearTimeout(timer)
}

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
  const beforeLastLook = createDeadlines(clock, ms - lastLookMs, abort)
  return async <T>(work: Promise<T>): Promise<T> => {
    const { promise, reject } = Promise.withResolvers<never>()
    const lastLook = () => clock.sleep(lastLookMs, abort)
    const takeBack = beforeLastLook(() => void lastLook().then(() => abort.aborted || reject(error())))
    try {
      return await Promise.race([work, promise])
    } finally {
      takeBack()
    }
  }
}
