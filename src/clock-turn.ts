import { type Clock, earliest, second } from "./kernel/clock.ts"
import type { ManualClock } from "./kernel/manual-clock.ts"
import type { Worker } from "./module.ts"

/**
 * Turns the clock to this time and does all work that becomes due on the way. Resolves to false when a limit of one
 * turn was reached first; turn again then.
 */
type TurnTo = (to: number) => Promise<boolean>

interface ClockTurner {
  /** Runs the work while nobody else can turn the clock. */
  run<T>(work: (turnTo: TurnTo) => Promise<T>): Promise<T>
  /** Ends a running turn at the time that it has reached. */
  stop(): void
}

/** A part of the server whose work becomes due at a time. */
export interface Part extends Pick<Worker, "loop" | "drain" | "nextDueAt"> {
  /** Waits for work under way that `drain` does not wait for; resolves to its amount. */
  readonly settled?: () => Promise<number>
}

interface TurnLimits {
  /** How often the clock stops on the way. */
  readonly stops: number
  /** The longest that a turn may take, in ms: shorter than clients wait for an answer. */
  readonly ms: number
}

const usualLimits: TurnLimits = { stops: 100_000, ms: 20 * second }

/** How long to wait for work that is due but cannot be done yet, in ms: mail over the limit per second, for example. */
const waitMs = 20

interface ClockTurnerDeps {
  readonly clock: ManualClock
  readonly realClock: Clock
  readonly parts: () => readonly Part[]
}

/**
 * Turns a manual clock from one due time to the next and does at each what is due then, so that work runs in the order
 * of its times, work that is planned on the way included. The loops of the parts are paused meanwhile, because two
 * readers of one queue would do its work twice.
 */
export function createClockTurner(
  { clock, realClock, parts }: ClockTurnerDeps,
  limits: TurnLimits = usualLimits,
): ClockTurner {
  const stopping = new AbortController()
  let last: Promise<unknown> = Promise.resolve()

  /**
   * Drains all parts until nothing is due; false when that is not reached before `until`. Work that is already running
   * may add more, so it takes two rounds without any.
   */
  async function settle(isPassing: boolean, until: number): Promise<boolean> {
    for (let quiet = 0; quiet < 2; ) {
      let done = 0
      for (const part of parts()) done += (await part.drain(isPassing)) + ((await part.settled?.()) ?? 0)
      quiet = done === 0 ? quiet + 1 : 0
      if (stopping.signal.aborted || (done > 0 && performance.now() >= until)) return false
    }
    return true
  }

  async function walk(to: number): Promise<boolean> {
    const until = performance.now() + limits.ms
    for (let stops = 0; await settle(clock.now() < to, until); stops++) {
      const next = earliest(await Promise.all(parts().map((part) => part.nextDueAt())))
      const isBehind = next !== undefined && next <= clock.now()
      if (!isBehind && clock.now() >= to) return true
      if (stops >= limits.stops || performance.now() >= until) return false
      if (isBehind) await realClock.sleep(waitMs, stopping.signal)
      else clock.set(Math.min(next ?? to, to))
    }
    return false
  }

  const turnTo: TurnTo = async (to) => {
    const loops = parts().map(({ loop }) => loop)
    await Promise.all(loops.map((loop) => loop.pause()))
    try {
      return await walk(to)
    } finally {
      for (const loop of loops) loop.resume()
    }
  }

  return {
    run(work) {
      const running = last.then(() => work(turnTo))
      last = running.catch(() => {})
      return running
    },
    stop: () => stopping.abort(),
  }
}
