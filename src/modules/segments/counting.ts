import type { Engine } from "../../engine.ts"
import { type Rule, saveCount } from "./store.ts"

/** The counts of one segment that are under way, by when they began. */
interface UnderWay {
  running: number
  /** The latest of those that are stored. */
  stored: number
}

/**
 * Stores the numbers of members, of which several may be counted at a time: a number is not stored over one whose count
 * began later: what a request has changed is in the count that it begins then. In memory, because only this process counts.
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
