import type { Engine } from "../../engine.ts"
import { type Rule, saveCount } from "./store.ts"

/** The running counts of one segment, numbered in the order in which they began. */
interface UnderWay {
  running: number
  /** The latest count whose result is stored. */
  stored: number
}

/**
 * Stores the numbers of members of segments. Several counts of a segment may run at a time: a result does not replace
 * that of a count which began later, because a request that changes a segment begins its own count afterwards. In
 * memory, because only this process counts.
 */
export function createCounting({ store }: Pick<Engine, "store">) {
  const segments = new Map<string, UnderWay>()
  let begun = 0

  /** Counts a segment and stores the number; resolves to it. */
  return async ({ id, projectId }: Pick<Rule, "id" | "projectId">, count: () => Promise<number>): Promise<number> => {
    const own = ++begun
    const known = segments.get(id) ?? { running: 0, stored: 0 }
    segments.set(id, known)
    known.running++
    try {
      const total = await count()
      await store.write(projectId, async (unit) => {
        if (own < known.stored) return
        known.stored = own
        await saveCount(unit, projectId, id, total)
      })
      return total
    } finally {
      if (--known.running === 0) segments.delete(id)
    }
  }
}

export type StoreCount = ReturnType<typeof createCounting>
