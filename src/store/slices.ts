import { yieldToEventLoop } from "../kernel/event-loop.ts"
import type { Store } from "./store.ts"
import type { Scope, Unit } from "./writer.ts"

export interface SliceOptions {
  /** The largest number of rows of one unit. */
  readonly size?: number
  /** How often to yield to the event loop between two units, for work that can wait. */
  readonly turns?: number
  readonly abort?: AbortSignal | undefined
}

export interface Sliced {
  readonly rows: number
  /** False when the work was aborted before the end. */
  readonly isOver: boolean
}

/**
 * Works on any number of rows in short units: `step` handles at most `limit` rows and resolves to their number. The
 * first unit that finds fewer than the limit is the last.
 */
export async function inSlices(
  store: Pick<Store, "write">,
  scope: Scope,
  step: (unit: Unit, limit: number) => Promise<number>,
  { size = 1_000, turns = 1, abort }: SliceOptions = {},
): Promise<Sliced> {
  for (let rows = 0; ; ) {
    if (abort?.aborted) return { rows, isOver: false }
    const found = await store.write(scope, (unit) => step(unit, size))
    rows += found
    if (found < size) return { rows, isOver: true }
    for (let turn = 0; turn < turns; turn++) await yieldToEventLoop()
  }
}
