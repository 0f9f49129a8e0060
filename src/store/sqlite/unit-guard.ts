const awaitedOther = "A unit of work awaited something other than the store."

export interface UnitGuard {
  /** Rejects when the work of a unit is pending although no microtask is left. */
  within<T>(work: Promise<T>): Promise<T>
  stop(): void
}

/**
 * bun:sqlite answers within microtasks, so a unit that is pending when none is left has awaited something else: a
 * timer, the network, a file. A tick that a microtask requests runs exactly then; an immediate would run later, when a
 * fast answer may have arrived.
 */
export function guardUnits(): UnitGuard {
  let breach: ((cause: Error) => void) | undefined
  let watching = true
  const watch = (): void => queueMicrotask(() => process.nextTick(microtasksDone))
  function microtasksDone(): void {
    if (!watching) return
    breach?.(new Error(awaitedOther))
    watch()
  }
  watch()
  return {
    within: <T>(work: Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        breach = reject
        work.then(resolve, reject)
      }),
    stop() {
      watching = false
    },
  }
}
