/** Decides how long a commit waits for more units: one sync serves all units of a commit. */
interface CommitDelay {
  /** Resolves when the expected number of units is waiting, or when waiting longer would cost more than it saves. */
  wait(waiting: () => number): Promise<void>
  /** Reports how many units a commit had, how many others are waiting by now, and how long it and its sync took, in ms. */
  synced(units: number, waiting: number, ms: number): void
}

/** A commit is never delayed by more than this, in ms. */
const maxDelayMs = 2
/** The delay also ends when no unit has arrived for this time, in ms. */
const quietMs = 0.2

/**
 * Predicts the number of units from the last commit: clients send their next request when they have the answer to the
 * last one, so as many units are expected again, in addition to those that arrived during the sync. A single client is
 * not delayed. The prediction is in memory, because it only affects timing.
 */
export function createCommitDelay(): CommitDelay {
  let expected = 1
  let delayMs = 0
  return {
    async wait(waiting) {
      const until = performance.now() + delayMs
      let quietUntil = 0
      for (let units = -1; units < expected; ) {
        await new Promise(setImmediate)
        const now = performance.now()
        if (waiting() > units) quietUntil = now + quietMs
        if (now >= until || now >= quietUntil) return
        units = waiting()
      }
    },
    synced(units, waiting, ms) {
      delayMs = Math.min(ms, maxDelayMs)
      expected = units + waiting
    },
  }
}
