import type { Unit } from "./writer.ts"

interface Waiting<T, R> {
  readonly item: T
  resolve(result: R): void
  reject(cause: unknown): void
}

/**
 * Gives one unit, which `write` runs, all items that have come by the time it runs, `most` at the most: an item that comes alone has a unit of
 * its own, many that come together share one. `work` resolves to one result for each item, in order. When the unit
 * fails, every item of it is rejected.
 */
export function createUnitBatches<T, R>(
  write: <R>(work: (unit: Unit) => Promise<R>) => Promise<R>,
  most: number,
  work: (unit: Unit, items: readonly T[]) => Promise<readonly R[]>,
): (item: T) => Promise<R> {
  const waiting: Waiting<T, R>[] = []
  /** Whether a unit that has not run yet will take what comes. */
  let isAwaited = false

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
    isAwaited = true
    void run()
  }

  return (item) =>
    new Promise<R>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isAwaited) request()
    })
}
