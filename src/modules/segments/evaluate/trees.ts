import { LRUCache } from "lru-cache"
import { type Condition, type Needs, needsOf, readCondition } from "../../../conditions/index.ts"

/** A stored condition, ready to be evaluated, and the facts it needs. */
export interface Tree {
  readonly condition: Condition
  readonly needs: Needs
}

export type Trees = (text: string) => Tree

const cacheSize = 2_000

/** Parses stored conditions. Memory: cached by their text, of which the result is a pure function, so never stale. */
export function createTrees(): Trees {
  const cache = new LRUCache<string, Tree>({
    max: cacheSize,
    memoMethod: (text) => {
      const condition = readCondition(JSON.parse(text))
      return { condition, needs: needsOf(condition) }
    },
  })
  return (text) => cache.memo(text)
}
