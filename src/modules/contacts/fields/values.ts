import type { Primitive } from "./store.ts"

/** Numbers before texts before booleans, each ascending; texts by code point, as UTF-8 sorts them. */
export function compareValues(one: Primitive, other: Primitive): number {
  const [rank, otherRank] = [ranks.indexOf(typeof one), ranks.indexOf(typeof other)]
  if (rank !== otherRank) return rank - otherRank
  if (typeof one === "string") return Buffer.compare(Buffer.from(one), Buffer.from(String(other)))
  return Number(one) - Number(other)
}

const ranks: readonly string[] = ["number", "string", "boolean"]

/** Collects the smallest distinct values; holds at most about twice the limit. */
export function createLeast(limit: number) {
  const kept = new Set<Primitive>()
  const least = (): Primitive[] => [...kept].sort(compareValues).slice(0, limit)
  return {
    add(values: readonly Primitive[]): void {
      for (const value of values) kept.add(value)
      if (kept.size <= 2 * limit) return
      const keep = new Set(least())
      for (const value of kept) if (!keep.has(value)) kept.delete(value)
    },
    least,
  }
}
