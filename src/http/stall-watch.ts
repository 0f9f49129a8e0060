import type { Clock } from "../kernel/clock.ts"

/** Ends waiting for bodies that stop arriving. */
export interface StallWatch {
  /** The result of `work`, unless it reports no progress for too long; then the error of `stalled`. */
  unlessStalled<T>(work: (progress: (size: number) => void) => Promise<T>): Promise<T>
}

interface Watched {
  /** When there was progress last, and how much had arrived by then. */
  at: number
  size: number
  readonly stall: () => void
}

/** Fewer bytes than this within `stallMs` are no progress, so that single bytes do not keep a body alive. */
const progressBytes = 1_024

/** One timer for all bodies, because nearly all of them are complete at once. */
export function createStallWatch(clock: Clock, stallMs: number, stalled: () => Error): StallWatch {
  const bodies = new Set<Watched>()
  const never = new AbortController().signal
  let isWatching = false

  async function watch(): Promise<void> {
    isWatching = true
    while (bodies.size > 0) {
      let next = stallMs
      for (const body of bodies) {
        const left = body.at + stallMs - clock.now()
        if (left > 0) next = Math.min(next, left)
        else {
          bodies.delete(body)
          body.stall()
        }
      }
      if (bodies.size > 0) await clock.sleep(next, never)
    }
    isWatching = false
  }

  return {
    unlessStalled: (work) =>
      new Promise((resolve, reject) => {
        const body: Watched = { at: clock.now(), size: 0, stall: () => reject(stalled()) }
        const progress = (size: number) => {
          if (size - body.size >= progressBytes) Object.assign(body, { at: clock.now(), size })
        }
        bodies.add(body)
        if (!isWatching) void watch()
        work(progress)
          .then(resolve, reject)
          .finally(() => bodies.delete(body))
      }),
  }
}
