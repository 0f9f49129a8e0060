import type { Clock } from "../../kernel/clock.ts"

/** Keeps requests from slowing down the delivery of mail: both share the event loop. */
export interface DeliveryTurns {
  /** A unit of the delivery was added. */
  added(): void
  /** The longest transaction now, in ms. */
  msPerCommit(): number
  /**
   * While much mail is being delivered, lets the event loop go on with it before units of requests run: until a unit of
   * the delivery waits or the loop has nothing else to do, but not longer than `longestPauseMs`.
   */
  pause(isDeliveryWaiting: () => boolean): Promise<void>
}

/** So many units of the delivery within so many ms are some hundred mails per second: fewer need no room to be made. */
const [busyUnits, windowMs] = [50, 100]
/** Short enough not to block the event loop. */
const usualMs = 25
/** A hand-over takes several turns of the event loop, each of which waits for the transaction before it. */
const duringDeliveryMs = 4
/** So requests get a sixth of the time at least, and the oldest one waits for a few of these pauses. */
const longestPauseMs = 20
/** A turn of the event loop that takes longer has done work. */
const idleTurnMs = 0.2

export function createDeliveryTurns(clock: Clock): DeliveryTurns {
  // The numbers of units in this window and in the one before it.
  let [units, unitsBefore, windowAt] = [0, 0, Number.NEGATIVE_INFINITY]

  function nextWindow(): void {
    // In both directions, for a clock may be set back.
    const passed = Math.abs(clock.now() - windowAt)
    if (passed < windowMs) return
    unitsBefore = passed < 2 * windowMs ? units : 0
    units = 0
    windowAt = clock.now()
  }

  function isBusy(): boolean {
    nextWindow()
    return Math.max(units, unitsBefore) >= busyUnits
  }

  return {
    added() {
      nextWindow()
      units++
    },
    msPerCommit: () => (isBusy() ? duringDeliveryMs : usualMs),
    async pause(isDeliveryWaiting) {
      if (!isBusy()) return
      const until = performance.now() + longestPauseMs
      for (let began = 0; !isDeliveryWaiting() && began < until; ) {
        began = performance.now()
        await new Promise(setImmediate)
        if (performance.now() - began < idleTurnMs) return
      }
    },
  }
}
