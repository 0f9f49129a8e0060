/** Work of one owner, who can abort all of it and wait for its end. */
export interface Stoppable {
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
  return {
    signal: stopping.signal,
    async run(abort, work) {
      const running = work(AbortSignal.any([abort, stopping.signal]))
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
