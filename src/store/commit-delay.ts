/** Decides how long a commit waits for more units: it costs an fsync however many share it. */
export interface CommitDelay {
  /** Resolves when as many wait as lately came together, or when waiting longer would cost more than it saves. */
  wait(waiting: () => number): Promise<void>
  /** Tells how many units the commit had and how long it took, in ms. */
  committed(units: number, ms: number): void
}

/** Waiting never takes longer than this, in ms. */
const longest = 2
/** Every so many commits one more unit is hoped for, to find out whether there are more clients by now. */
const hopeEvery = 16

/**
 * Clients that wait for their answers come back together, so the number of the last commit is a good guess for the next.
 * With one client at a time nothing is waited for.
 */
export function createCommitDelay(): CommitDelay {
  let wanted = 1
  let patience = 0
  let commits = 0
  return {
    async wait(waiting) {
      const until = performance.now() + patience
      do await new Promise(setImmediate)
      while (waiting() < wanted && performance.now() < until)
    },
    committed(units, ms) {
      commits++
      patience = Math.min(ms, longest)
      wanted = commits % hopeEvery === 0 || units > wanted ? units + 1 : units
    },
  }
}
