import { LRUCache } from "lru-cache"
import type { Store } from "./store.ts"
import type { Unit } from "./writer.ts"

const largestSize = 1_000

/**
 * What rows say, in memory, because every request asks for it. Everything is forgotten when this process changes one of
 * the rows, before that is acknowledged, and when another process, such as a command, has committed anything. `undefined`
 * is not remembered.
 */
export function createRowCache<Value extends object>({ changesOfOthers }: Pick<Store, "changesOfOthers">) {
  const known = new LRUCache<string, Value>({ max: largestSize })
  let others: number | undefined
  /** Incremented when all are forgotten: what was read before that is not remembered. */
  let epoch = 0

  function clear(): void {
    epoch++
    if (known.size > 0) known.clear()
  }

  return {
    /** From memory, or by `load`. */
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
