import type { Clock } from "./clock.ts"

/** A clock that stands still until it is set. Its `sleep` takes real time: only what is stored follows its time. */
export interface ManualClock extends Clock {
  /** Sets the clock forward; a time that has passed changes nothing. */
  set(at: number): void
}

/** @param keep stores the time before it is seen, so that no stored time is ahead of it after a crash */
export function createManualClock(start: number, { sleep }: Clock, keep: (at: number) => void): ManualClock {
  let now = start
  return {
    now: () => now,
    sleep,
    set(at) {
      if (at <= now) return
      keep(at)
      now = at
    },
  }
}
