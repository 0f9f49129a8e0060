import type { Clock } from "../../kernel/clock.ts"

/** Keeps requests from slowing down the delivery of mail: both share the event loop. */
export interface DeliveryTurns {
  /** A unit of the delivery was added. */
  added(): void
  /** The longest transaction now, in ms. */
  msPerCommit(): number
  /**
   * While mail is being delivered, lets the event loop go on with it, before units of requests run: until a unit of the
   * delivery waits or the loop has nothing else to do, but not longer than `longestPauseMs`.
   */
  pause(isDeliveryWaiting: () => boolean): Promise<void>
}

/** For how long after its last unit the delivery counts as going on. */
const activeMs = 100
/** Short enough not to block the event loop. */
const usualMs = 25
/** A hand-over takes several turns of the event loop, each of which waits for the transaction before it. */
const duringDeliveryMs = 4
/** So requests get a sixth of the time at least, and the oldest one waits for a few of these pauses. */
const longestPauseMs = 20
/** A turn of the event loop that takes longer has done work. */
const idleTurnMs = 0.2

export function createDeliveryTurns(clock: Clock): DeliveryTurns {
  let addedAt = Number.NEGATIVE_INFINITY
  // In both directions, for a clock may be set back.
  const isActive = () => Math.abs(clock.now() - addedAt) < activeMs
  return {
    added() {
      addedAt = clock.now()
    },
    msPerCommit: () => (isActive() ? duringDeliveryMs : usualMs),
    async pause(isDeliveryWaiting) {
      if (!isActive()) return
      const until = performance.now() + longestPauseMs
      for (let began = 0; !isDeliveryWaiting() && began < until; ) {
        began = performance.now()
        await new Promise(setImmediate)
        if (performance.now() - began < idleTurnMs) return
      }
    },
  }
}
