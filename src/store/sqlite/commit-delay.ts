/** Decides how long a commit waits for more units: one sync serves all units of a commit. */
export interface CommitDelay {
  /** Resolves when the expected number of units is waiting, or when waiting longer would cost more than it saves. */
  wait(waiting: () => number): Promise<void>
  /** Reports how many units a commit had, how many others are waiting by now, and how long it and its sync took, in ms. */
  synced(units: number, waiting: number, ms: number): void
}

/** A commit is never delayed by more than this, in ms. */
const maxDelayMs = 2

/**
 * Clients that wait for their answers send their next requests when they have them, so the units of the last commit come
 * back, in addition to those that came during its sync. One client at a time is not delayed. The prediction is in memory:
 * it only affects the timing.
 */
export function createCommitDelay(): CommitDelay {
  let expected = 1
  let delayMs = 0
  return {
    async wait(waiting) {
      const until = performance.now() + delayMs
      do await new Promise(setImmediate)
      while (waiting() < expected && performance.now() < until)
    },
    synced(units, waiting, ms) {
      delayMs = Math.min(ms, maxDelayMs)
      expected = units + waiting
    },
  }
}
