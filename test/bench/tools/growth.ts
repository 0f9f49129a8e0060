import { below, type Figure } from "./table.ts"

export const sizes = [10_000, 100_000, 1_000_000] as const

/**
 * A time at growing sizes, in ms: one row with all of them and the exponent of the curve, and the last beside its limit.
 * An exponent of 0 means that size does not matter, 1 that the time grows as the size does.
 */
export function growth(what: string, times: readonly number[], most: number, by: string): Figure {
  const [first = Number.NaN, last = Number.NaN] = [times[0], times.at(-1)]
  const [smallest, largest] = [sizes[0], sizes[times.length - 1] ?? Number.NaN]
  const exponent = Math.log(last / first) / Math.log(largest / smallest)
  const curve = times.map((ms) => ms.toFixed(1)).join(", ")
  const figure = below(what, last, "ms", most, by)
  return { ...figure, value: `${curve} ms, exponent ${exponent.toFixed(2)}` }
}

/** The median time in ms of some work that is repeated. */
export async function timeOf(times: number, work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = []
  for (let at = 0; at < times; at++) {
    const started = performance.now()
    await work()
    taken.push(performance.now() - started)
  }
  return taken.sort((one, other) => one - other)[times >> 1] ?? Number.NaN
}
