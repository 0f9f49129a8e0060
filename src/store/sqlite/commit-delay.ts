/** Decides how long a commit waits for more units: it costs an fsync however many share it. */
export interface CommitDelay {
  /** Resolves when as many units wait as are expected, or when waiting longer would cost more than it saves. */
  wait(waiting: () => number): Promise<void>
  /** Reports how many units a commit had and how long it took, in ms. */
  committed(units: number, ms: number): void
}

/** A commit is never delayed by more than this, in ms. */
const maxDelayMs = 2
/** Every so many commits one more unit is expected, to find out whether there are more clients by now. */
const probeEvery = 16

/**
 * Clients that wait for their answers come back together, so the number of units of the last commit is a good guess for the
 * next. With one client at a time there is no delay.
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
