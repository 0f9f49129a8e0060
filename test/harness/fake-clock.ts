import type { Clock } from "../../src/kernel/clock.ts"

/** A clock that stands still until it is moved. Sleepers wake in the order of time. */
export interface FakeClock extends Clock {
  /** Moves on by `ms`, stopping at each sleeper on the way. */
  advance(ms: number): Promise<void>
  /** Sets the clock by `ms`, forward or back, like an operator or NTP: no time passes, so no sleeper wakes. */
  jump(ms: number): void
  /** How many sleep at the moment. */
  readonly sleepers: number
}

export function createFakeClock(start = Date.parse("2026-01-31T09:15:00.000Z")): FakeClock {
  let now = start
  const sleepers = new Set<{ at: number; wake: () => void }>()
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const sleeper = {
          at: now + ms,
          wake() {
            sleepers.delete(sleeper)
            signal.removeEventListener("abort", sleeper.wake)
            resolve()
          },
        }
        sleepers.add(sleeper)
        signal.addEventListener("abort", sleeper.wake, { once: true })
      }),
    async advance(ms) {
      const until = now + ms
      for (;;) {
        const [next] = [...sleepers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
        if (next === undefined) break
        now = Math.max(now, next.at)
        next.wake()
        await new Promise(setImmediate)
      }
      now = until
    },
    jump(ms) {
      now += ms
      for (const sleeper of sleepers) sleeper.at += ms
    },
    get sleepers() {
      return sleepers.size
    },
  }
}
