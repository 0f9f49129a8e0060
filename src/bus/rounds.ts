import { type Clock, second } from "../kernel/clock.ts"
import type { Poll } from "../store/poll.ts"
import type { Consumer } from "./consumer.ts"

/** Decides which subscribers are asked to catch up, and when. */
interface Rounds {
  /** A signal of this name was stored: wakes the loop for those that handle it. */
  emitted(name: string): void
  /** Lets every subscriber catch up; resolves to the number of signals handled. */
  drain(): Promise<number>
  /** The step of the loop: lets those catch up that have signals, as far as this process knows. */
  step(stopping: AbortSignal): Promise<void>
}

/**
 * The least interval between two rounds of all subscribers, in ms. Such rounds are needed because commands beside the
 * server emit signals too, and because failed signals are retried.
 */
const everyoneMs = second / 2

/**
 * @param poll whether everybody is asked: not while nothing was committed and no retry is due
 * @param wake makes the loop take its next step soon
 */
export function createRounds(
  consumers: readonly Consumer[],
  { clock, poll, wake }: { readonly clock: Pick<Clock, "sleep">; readonly poll: Poll; readonly wake: () => void },
): Rounds {
  // In memory: subscribers missing here are asked within `everyoneMs`.
  const waiting = new Set<Consumer>()
  /** With the number of signals that came during the delay. */
  const delayed = new Map<Consumer, number>()
  let isEveryonesTurn = true

  function emitted(name: string): void {
    for (const consumer of consumers) {
      if (!consumer.names.includes(name)) continue
      const came = delayed.get(consumer)
      if (came !== undefined) delayed.set(consumer, came + 1)
      else if (!waiting.has(consumer)) wake()
      waiting.add(consumer)
    }
  }

  async function drain(): Promise<number> {
    let handled = 0
    for (let round = -1; round !== 0; handled += round) {
      round = 0
      for (const consumer of consumers) round += await consumer.catchUp()
    }
    return handled
  }

  /** Delays the next turn of a subscriber that has handled most of its signals. */
  async function delay(consumer: Consumer, stopping: AbortSignal): Promise<void> {
    const { batchDelayMs, longestDelayMs, atOnce } = consumer
    let isBurst = true
    for (let delayedMs = 0; isBurst && !stopping.aborted; ) {
      delayed.set(consumer, 0)
      await clock.sleep(batchDelayMs, stopping)
      delayedMs += batchDelayMs
      isBurst = (delayed.get(consumer) ?? 0) >= atOnce && delayedMs < longestDelayMs
    }
    delayed.delete(consumer)
    if (waiting.has(consumer)) wake()
  }

  /** Handles one batch. A subscriber that has handled all of its signals no longer waits. */
  async function catchUp(consumer: Consumer, stopping: AbortSignal): Promise<void> {
    waiting.delete(consumer)
    const passed = await consumer.catchUp().catch((cause) => {
      // Otherwise it would not be asked again before the next commit.
      waiting.add(consumer)
      throw cause
    })
    if (passed === 0) return
    waiting.add(consumer)
    if (passed < consumer.atOnce && consumer.batchDelayMs > 0) void delay(consumer, stopping)
  }

  /** The timer starts only after they were asked, so that it does not wake an idle process, without commits. */
  async function askEveryone(stopping: AbortSignal): Promise<void> {
    await poll(async () => {
      isEveryonesTurn = false
      void clock.sleep(everyoneMs, stopping).then(() => {
        isEveryonesTurn = true
      })
      for (const consumer of consumers) waiting.add(consumer)
    })
  }

  return {
    emitted,
    drain,
    async step(stopping) {
      if (isEveryonesTurn) await askEveryone(stopping)
      for (let asked = -1; asked !== 0; ) {
        asked = 0
        for (const consumer of consumers) {
          if (stopping.aborted) return
          if (!waiting.has(consumer) || delayed.has(consumer)) continue
          asked++
          await catchUp(consumer, stopping)
        }
      }
    },
  }
}
