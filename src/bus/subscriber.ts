import type { Unit } from "../store/writer.ts"
import type { Signal, SignalKind } from "./signal.ts"

/** A reaction. Its writes and its cursor move in one unit, so each signal is handled exactly once and in order. */
export interface Subscriber {
  /** Names the durable cursor: keep it for ever. */
  readonly name: string
  readonly on: readonly SignalKind<unknown>[]
  /**
   * Whether a signal matters to it at all, asked inside the unit that emits it; all do without. A signal that matters to
   * nobody is not stored. It answers from memory, and never wrongly with false. Others' signals are handled all the same.
   */
  concerns?(projectId: string, payload: unknown, name: string): boolean
  /** The most signals it handles in one unit, when it has much to do for each. */
  readonly atOnce?: number
  handle(signals: readonly Signal[], unit: Unit): Promise<void>
}
