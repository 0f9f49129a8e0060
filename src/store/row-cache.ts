import { LRUCache } from "lru-cache"
import type { Store } from "./store.ts"
import type { Unit } from "./writer.ts"

const largestSize = 1_000

/**
 * Caches rows that every request needs. The whole cache is cleared when this process changes one of the rows, before
 * the change is acknowledged, and when another process, such as a command, commits anything. `undefined` is not cached.
 */
export function createRowCache<Value extends object>({ changesOfOthers }: Pick<Store, "changesOfOthers">) {
  const known = new LRUCache<string, Value>({ max: largestSize })
  let others: number | undefined
  /** Incremented when the cache is cleared, so that a read that began before is not cached. */
  let epoch = 0

  function clear(): void {
    epoch++
    if (known.size > 0) known.clear()
  }

  return {
    /** From the cache, or by `load`. */
    async find(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
      const now = changesOfOthers()
      if (now !== others) clear()
      others = now
      const found = known.get(key)
      if (found !== undefined) return found
      const began = epoch
      const loaded = await load()
      if (loaded !== undefined && epoch === began) known.set(key, loaded)
      return loaded
    },

    /** To be called in each unit that changes or deletes one of the rows. */
    forget(unit: Unit): void {
      clear()
      unit.afterCommit(clear)
    },
  }
}

export type RowCache<Value extends object = object> = ReturnType<typeof createRowCache<Value>>
