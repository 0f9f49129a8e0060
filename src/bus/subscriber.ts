import type { Unit } from "../store/writer.ts"
import type { Signal, SignalKind } from "./signal.ts"

/**
 * A handler of signals. Its writes and its cursor change in one unit, so each signal is handled exactly once and in
 * order.
 */
export interface Subscriber {
  /** The name of the durable cursor; it must never change. */
  readonly name: string
  readonly on: readonly SignalKind<unknown>[]
  /**
   * Whether the subscriber needs a signal; called inside the unit that emits it. Every signal is needed when absent. A
   * signal that no subscriber needs is not stored. The answer comes from memory and may be true unnecessarily, but
   * never false by mistake. Signals that were stored for other subscribers are handled too.
   */
  concerns?(projectId: string, payload: unknown, name: string): boolean
  /** The most signals handled in one unit, for subscribers with much work for each. */
  readonly atOnce?: number
  /** How long the loop leaves it alone after a batch, in ms, for subscribers to whom a large batch is worth a delay. */
  readonly batchDelayMs?: number
  /**
   * How long it leaves it alone, in ms, while a whole batch comes in each delay: for work that can wait until a burst is
   * over. One delay when left out.
   */
  readonly longestDelayMs?: number
  handle(signals: readonly Signal[], unit: Unit): Promise<void>
  /**
   * Removes the cause of a failure of `handle`, in a unit of its own, where it can; resolves to whether it has, so that the
   * same signal is handled again at once, and not after a time.
   */
  settle?(cause: unknown): Promise<boolean>
}
