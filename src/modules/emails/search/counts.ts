import { LRUCache } from "lru-cache"
import type { Store } from "../../../store/store.ts"
import { type Block, countInBlocks } from "./store.ts"

export interface CountedBlock extends Block {
  readonly count: number
}

export type BlockCounts = ReturnType<typeof createBlockCounts>

/** The texts whose counts are remembered: 40 bytes for each thousand messages and text. */
const mostTexts = 100
/** The reads that count at the same time. */
const parts = 2

/**
 * How many messages of each block contain a text. What was counted is kept in memory: the texts of a block never change,
 * and its `seq` is never reused, so a search that is repeated, or goes on to the next page, counts only in new blocks.
 */
export function createBlockCounts({ readPool }: Pick<Store, "readPool">) {
  const remembered = new LRUCache<string, Map<number, number>>({ max: mostTexts })

  /** The blocks that still exist with their counts, in the same order. */
  return async (projectId: string, text: string, blocks: readonly Block[]): Promise<CountedBlock[]> => {
    const name = `${projectId} ${text}`
    const known = remembered.get(name) ?? new Map<number, number>()
    remembered.set(name, known)
    const unknown = blocks.map(({ seq }) => seq).filter((seq) => !known.has(seq))
    if (unknown.length > 0) {
      const counted = Array.from({ length: parts }, (_, part) => {
        const own = unknown.filter((_seq, at) => at % parts === part)
        return own.length === 0 ? [] : readPool.read(projectId, (db) => countInBlocks(db, own, text), part)
      })
      for (const { seq, count } of (await Promise.all(counted)).flat()) known.set(seq, count)
    }
    return blocks.flatMap((block) => {
      const count = known.get(block.seq)
      return count === undefined ? [] : [{ ...block, count }]
    })
  }
}
