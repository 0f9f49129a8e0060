import { yieldToEventLoop } from "../kernel/event-loop.ts"
import type { Store } from "./store.ts"
import type { Scope, Unit } from "./writer.ts"

/** Handles at most `limit` rows and resolves to their number. */
export type Step = (unit: Unit, limit: number) => Promise<number>

/** Runs a step in short units until one finds fewer rows than the limit. */
export type EachSlice = (step: Step) => Promise<unknown>

interface SliceOptions {
  /** The largest number of rows of one unit. */
  readonly size?: number
  /** How often to yield to the event loop between two units, for work that can wait. */
  readonly turns?: number
  /**
   * The pause after a unit, as a multiple of the time that it took, its wait for other writes included: for work that
   * is not urgent. Measured by the machine's clock, because it protects other work on the machine.
   */
  readonly rest?: number
  readonly abort?: AbortSignal | undefined
}

export interface Sliced {
  readonly rows: number
  /** False when the work was aborted before the end. */
  readonly isOver: boolean
}

/**
 * Works on any number of rows in short units. The first unit that finds fewer than the limit is the last.
 */
export async function inSlices(
  store: Pick<Store, "write">,
  scope: Scope,
  step: Step,
  { size = 1_000, turns = 1, rest = 0, abort }: SliceOptions = {},
): Promise<Sliced> {
  for (let rows = 0; ; ) {
    if (abort?.aborted) return { rows, isOver: false }
    const started = performance.now()
    const found = await store.write(scope, (unit) => step(unit, size))
    rows += found
    if (found < size) return { rows, isOver: true }
    if (rest > 0) await Bun.sleep(rest * (performance.now() - started))
    for (let turn = 0; turn < turns; turn++) await yieldToEventLoop()
  }
}

/** For rows of several projects. */
export const eachSlice =
  (store: Pick<Store, "write">, options?: SliceOptions): EachSlice =>
  (step) =>
    inSlices(store, "instance", step, options)

/** Works on the items of a list in short units; resolves to how many it worked on, fewer than all when it was aborted. */
export async function eachOf<Item>(
  each: EachSlice,
  items: readonly Item[],
  step: (unit: Unit, part: readonly Item[]) => Promise<unknown>,
): Promise<number> {
  let done = 0
  await each(async (unit, limit) => {
    const part = items.slice(done, done + limit)
    if (part.length > 0) await step(unit, part)
    unit.afterCommit(() => {
      done += part.length
    })
    return part.length
  })
  return done
}
