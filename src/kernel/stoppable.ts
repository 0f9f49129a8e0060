/** Work of one owner, who can abort all of it and wait for its end. */
interface Stoppable {
  /** Aborted by `stop`. */
  readonly signal: AbortSignal
  /** Does the work with a signal that is aborted by `abort` and by `stop`. */
  run<T>(abort: AbortSignal, work: (abort: AbortSignal) => Promise<T>): Promise<T>
  /** Aborts the work under way; resolves when none is left. */
  stop(): Promise<void>
}

export function createStoppable(): Stoppable {
  const stopping = new AbortController()
  const underWay = new Set<Promise<unknown>>()
  // Cached, because a caller uses one signal for many pieces of work.
  const joined = new WeakMap<AbortSignal, AbortSignal>()

  function withStopping(abort: AbortSignal): AbortSignal {
    const known = joined.get(abort)
    if (known) return known
    const made = AbortSignal.any([abort, stopping.signal])
    joined.set(abort, made)
    return made
  }

  return {
    signal: stopping.signal,
    async run(abort, work) {
      const running = work(withStopping(abort))
      underWay.add(running)
      try {
        return await running
      } finally {
        underWay.delete(running)
      }
    },
    async stop() {
      stopping.abort()
      await Promise.allSettled(underWay)
    },
  }
}
