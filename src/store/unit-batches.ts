import type { Unit } from "./writer.ts"

interface Waiting<T, R> {
  readonly item: T
  resolve(result: R): void
  reject(cause: unknown): void
}

/** For items whose result nobody waits for: their unit is delayed, so that it takes more of them. */
interface BatchDelay<T> {
  readonly mayWait: (item: T) => boolean
  /** Resolves when an item has waited for others long enough. */
  readonly wait: () => Promise<void>
}

/**
 * Collects items into units, which `write` runs: a unit takes all items that have arrived by the time it runs, at most
 * `most`. `work` resolves to one result for each item, in order. When a unit fails, all of its items are rejected. With
 * `delay`, items that may wait get a unit when one of them has waited long enough, when there are `most`, or together
 * with an item that may not wait.
 */
export function createUnitBatches<T, R>(
  write: <R>(work: (unit: Unit) => Promise<R>) => Promise<R>,
  most: number,
  work: (unit: Unit, items: readonly T[]) => Promise<readonly R[]>,
  delay?: BatchDelay<T>,
): (item: T) => Promise<R> {
  const waiting: Waiting<T, R>[] = []
  /** Whether a unit is queued that will take items arriving now. */
  let isAwaited = false
  /** Whether all waiting items may wait longer. */
  let isDelayed = false

  function take(): Waiting<T, R>[] {
    const taken = waiting.splice(0, most)
    isAwaited = false
    if (waiting.length > 0) request()
    return taken
  }

  async function run(): Promise<void> {
    let batch: Waiting<T, R>[] | undefined
    try {
      const results = await write((unit) => {
        // A unit may run again, with the same items.
        batch ??= take()
        return work(
          unit,
          batch.map(({ item }) => item),
        )
      })
      for (const [at, { resolve }] of (batch ?? []).entries()) resolve(results[at] as R)
    } catch (cause) {
      batch ??= take()
      for (const { reject } of batch) reject(cause)
    }
  }

  function request(): void {
    isDelayed = false
    isAwaited = true
    void run()
  }

  async function requestAfter(wait: () => Promise<void>): Promise<void> {
    isDelayed = true
    await wait()
    if (isDelayed) request()
  }

  return (item) =>
    new Promise<R>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (isAwaited) return
      if (waiting.length >= most || !delay?.mayWait(item)) request()
      else if (!isDelayed) void requestAfter(delay.wait)
    })
}
