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
  /** The pause after a batch, in ms, for subscribers that gain more from large batches than they lose by a delay. */
  readonly batchDelayMs?: number
  /**
   * The longest pause, in ms, while each delay brings a whole batch: for work that can wait until a burst is over. By
   * default one delay.
   */
  readonly longestDelayMs?: number
  handle(signals: readonly Signal[], unit: Unit): Promise<void>
  /**
   * Tries to remove the cause of a failure of `handle`, in a unit of its own; resolves to whether it did, so that the
   * signal is handled again at once instead of after a delay.
   */
  settle?(cause: unknown): Promise<boolean>
}
