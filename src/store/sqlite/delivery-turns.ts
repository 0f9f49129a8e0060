import { type Clock, isWithin } from "../../kernel/clock.ts"

/** Keeps requests from slowing down the delivery of mail that is late: both share the event loop. */
interface DeliveryTurns {
  /** Reports that mail is late: requests give way for the next `preferredMs`. */
  prefer(): void
  /** The longest transaction now, in ms. */
  msPerCommit(): number
  /**
   * Resolves to whether units of requests may be in the next transaction. While mail is late they may only when the event
   * loop has nothing else to do, and every `longestPauseMs`; resolves before that when a unit of the delivery waits.
   */
  mayRunRequests(isDeliveryWaiting: () => boolean): Promise<boolean>
}

/** How long mail counts as late after the last report. */
const preferredMs = 500
/** Short enough not to block the event loop. */
const usualMs = 25
/** A hand-over takes several turns of the event loop, each of which waits for the transaction before it. */
const lateMs = 4
/** Gives requests at least about a tenth of the time; the oldest one waits for a few of these pauses. */
const longestPauseMs = 40
/** A turn of the event loop that takes longer than this was not idle. */
const idleTurnMs = 0.2

export function createDeliveryTurns(clock: Clock): DeliveryTurns {
  let preferredAt = Number.NEGATIVE_INFINITY
  let requestsAt = Number.NEGATIVE_INFINITY
  const isLate = () => isWithin(preferredMs, clock.now(), preferredAt)

  return {
    prefer() {
      preferredAt = clock.now()
    },
    msPerCommit: () => (isLate() ? lateMs : usualMs),
    async mayRunRequests(isDeliveryWaiting) {
      while (isLate() && isWithin(longestPauseMs, clock.now(), requestsAt)) {
        if (isDeliveryWaiting()) return false
        const began = performance.now()
        await new Promise(setImmediate)
        if (performance.now() - began < idleTurnMs) break
      }
      requestsAt = clock.now()
      return true
    },
  }
}
