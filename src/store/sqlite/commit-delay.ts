/** Decides how long a commit waits for more units: one fsync serves all units of a commit. */
export interface CommitDelay {
  /** Resolves when the expected number of units is waiting, or when waiting longer would cost more than it saves. */
  wait(waiting: () => number): Promise<void>
  /** Reports how many units a commit had and how long it took, in ms. */
  committed(units: number, ms: number): void
}

/** A commit is never delayed by more than this, in ms. */
const maxDelayMs = 2
/** Every this many commits one more unit is expected, to find out whether there are more clients now. */
const probeEvery = 16

/**
 * Clients that wait for their answers send their next requests together, so the number of units of the last commit
 * predicts the next one. With one client at a time there is no delay. The prediction is in memory: it only affects the
 * timing.
 */
export function createCommitDelay(): CommitDelay {
  let expected = 1
  let delayMs = 0
  let commits = 0
  return {
    async wait(waiting) {
      const until = performance.now() + delayMs
      do await new Promise(setImmediate)
      while (waiting() < expected && performance.now() < until)
    },
    committed(units, ms) {
      commits++
      delayMs = Math.min(ms, maxDelayMs)
      expected = commits % probeEvery === 0 || units > expected ? units + 1 : units
    },
  }
}
