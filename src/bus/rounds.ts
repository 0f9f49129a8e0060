import { type Clock, second } from "../kernel/clock.ts"
import type { Consumer } from "./consumer.ts"

/** Decides which subscribers are asked to catch up, and when. */
export interface Rounds {
  /** A signal of this name was stored. */
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
const everyoneMs = second

/** @param wake called when a subscriber that was left alone may be asked again */
export function createRounds(consumers: readonly Consumer[], clock: Pick<Clock, "sleep">, wake: () => void): Rounds {
  // Memory: a name that is missing is made up for within `everyoneMs`.
  const fresh = new Set<string>()
  const waiting = new Set<Consumer>()
  const restsUntil = new Map<Consumer, number>()
  let everyoneAt = Number.NEGATIVE_INFINITY
  let isWakePlanned = false

  async function drain(): Promise<number> {
    let handled = 0
    for (let round = -1; round !== 0; handled += round) {
      round = 0
      for (const consumer of consumers) round += await consumer.catchUp()
    }
    return handled
  }

  function collect(): void {
    const isTime = performance.now() - everyoneAt >= everyoneMs
    if (isTime) everyoneAt = performance.now()
    for (const consumer of consumers)
      if (isTime || consumer.names.some((name) => fresh.has(name))) waiting.add(consumer)
    fresh.clear()
  }

  function wakeIn(ms: number, stopping: AbortSignal): void {
    if (isWakePlanned) return
    isWakePlanned = true
    void clock.sleep(ms, stopping).then(() => {
      isWakePlanned = false
      wake()
    })
  }

  /** A subscriber that has handled all of its signals no longer waits; one that has most behind it is left alone. */
  async function catchUp(consumer: Consumer): Promise<void> {
    const { gatherMs, atOnce } = consumer
    waiting.delete(consumer)
    const passed = await consumer.catchUp()
    if (passed > 0) waiting.add(consumer)
    if (passed > 0 && passed < atOnce && gatherMs > 0) restsUntil.set(consumer, performance.now() + gatherMs)
  }

  return {
    emitted: (name) => void fresh.add(name),
    drain,
    async step(stopping) {
      for (;;) {
        collect()
        let asked = 0
        for (const consumer of consumers) {
          if (stopping.aborted || !waiting.has(consumer)) continue
          const restMs = (restsUntil.get(consumer) ?? 0) - performance.now()
          if (restMs > 0) {
            wakeIn(restMs, stopping)
            continue
          }
          asked++
          await catchUp(consumer)
        }
        if (asked === 0) return
      }
    },
  }
}
