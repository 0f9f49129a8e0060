import { type Clock, second } from "../kernel/clock.ts"
import type { Consumer } from "./consumer.ts"

/** Decides which subscribers are asked to catch up, and when. */
export interface Rounds {
  /** A signal of this name was stored: wakes the loop for those that handle it. */
  emitted(name: string): void
  /** Lets every subscriber catch up; resolves to the number of signals handled. */
  drain(): Promise<number>
  /** The step of the loop: lets those catch up that have signals, as far as this process knows. */
  step(stopping: AbortSignal): Promise<void>
}

/**
 * How often every subscriber is asked, in ms: commands beside the server emit signals too, and a signal that failed is
 * tried again after a time.
 */
const everyoneMs = second / 2

/** @param wake makes the loop take its next step soon */
export function createRounds(consumers: readonly Consumer[], clock: Pick<Clock, "sleep">, wake: () => void): Rounds {
  // Memory: who is missing here is asked within `everyoneMs`.
  const waiting = new Set<Consumer>()
  const restsUntil = new Map<Consumer, number>()
  let stopping = new AbortController().signal
  let everyoneAt = Number.NEGATIVE_INFINITY
  let isWakePlanned = false

  /** How long the loop still leaves a subscriber alone, in ms. */
  const restMs = (consumer: Consumer): number => (restsUntil.get(consumer) ?? 0) - performance.now()

  function planWake(ms: number): void {
    if (isWakePlanned) return
    isWakePlanned = true
    void clock.sleep(ms, stopping).then(() => {
      isWakePlanned = false
      wake()
    })
  }

  function emitted(name: string): void {
    for (const consumer of consumers) {
      if (waiting.has(consumer) || !consumer.names.includes(name)) continue
      waiting.add(consumer)
      const ms = restMs(consumer)
      if (ms > 0) planWake(ms)
      else wake()
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

  /** Handles one batch. A subscriber that has handled all of its signals no longer waits; one that has most behind it is left alone. */
  async function catchUp(consumer: Consumer): Promise<void> {
    const { gatherMs, atOnce } = consumer
    waiting.delete(consumer)
    const passed = await consumer.catchUp()
    if (passed === 0) return
    if (passed < atOnce && gatherMs > 0) restsUntil.set(consumer, performance.now() + gatherMs)
    waiting.add(consumer)
  }

  return {
    emitted,
    drain,
    async step(signal) {
      stopping = signal
      if (performance.now() - everyoneAt >= everyoneMs) {
        everyoneAt = performance.now()
        for (const consumer of consumers) waiting.add(consumer)
      }
      for (let asked = -1; asked !== 0; ) {
        asked = 0
        for (const consumer of consumers) {
          if (stopping.aborted) return
          if (!waiting.has(consumer)) continue
          const ms = restMs(consumer)
          if (ms > 0) {
            planWake(ms)
            continue
          }
          asked++
          await catchUp(consumer)
        }
      }
    },
  }
}
