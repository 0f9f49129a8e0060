import { type Clock, isWithin, second } from "../kernel/clock.ts"

/** Ends waiting for bodies that stop arriving. */
interface StallWatch {
  /** The result of `work`, unless it reports no progress for too long; then the error of `stalled`. */
  unlessStalled<T>(work: (progress: (size: number) => void) => Promise<T>): Promise<T>
  /** Drops bodies that arrive more slowly than over a modem. */
  endSlow(): void
}

interface Watched {
  /** When there was progress last, and how much had arrived by then. */
  at: number
  size: number
  /** The same for the speed of a modem. */
  pace: { at: number; size: number }
  readonly stall: () => void
}

/** Fewer bytes than this within `stallMs` do not count as progress, so that single bytes do not keep a body alive. */
const progressBytes = 1_024
/** The speed of a modem: this many bytes within this time. */
const [paceBytes, paceMs] = [40_960, 10 * second]
/** The longest interval between two checks: a longer one shows that the process was suspended. */
const restMs = second

/** One timer for all bodies, because nearly all of them are complete at once. */
export function createStallWatch(clock: Clock, stallMs: number, stalled: () => Error): StallWatch {
  const bodies = new Set<Watched>()
  const never = new AbortController().signal
  let isWatching = false

  async function watch(): Promise<void> {
    isWatching = true
    while (bodies.size > 0) {
      let next = Math.min(stallMs, restMs)
      for (const body of bodies) {
        const left = body.at + stallMs - clock.now()
        if (left > 0) next = Math.min(next, left)
        else {
          bodies.delete(body)
          body.stall()
        }
      }
      if (bodies.size > 0) await rest(next)
    }
    isWatching = false
  }

  /**
   * Time does not count while the process was suspended, for example with its machine, because data that arrived
   * meanwhile is only read afterwards; nor does a change of the clock.
   */
  async function rest(ms: number): Promise<void> {
    const due = clock.now() + ms
    await clock.sleep(ms, never)
    const now = clock.now()
    const lost = Math.max(0, now - due)
    const later = (at: number) => Math.min(now, at + lost)
    for (const body of bodies) {
      body.at = later(body.at)
      body.pace.at = later(body.pace.at)
    }
  }

  return {
    unlessStalled: (work) =>
      new Promise((resolve, reject) => {
        const at = clock.now()
        const body: Watched = { at, size: 0, pace: { at, size: 0 }, stall: () => reject(stalled()) }
        const progress = (size: number) => {
          if (size - body.size < progressBytes) return
          const at = clock.now()
          Object.assign(body, { at, size })
          if (size - body.pace.size >= paceBytes) body.pace = { at, size }
        }
        bodies.add(body)
        if (!isWatching) void watch()
        work(progress)
          .then(resolve, reject)
          .finally(() => bodies.delete(body))
      }),
    endSlow() {
      for (const body of bodies) {
        if (isWithin(paceMs, clock.now(), body.pace.at)) continue
        bodies.delete(body)
        body.stall()
      }
    },
  }
}
