import { LRUCache } from "lru-cache"
import type { Engine } from "../../../engine.ts"
import { yieldToEventLoop } from "../../../kernel/event-loop.ts"
import { type ContactSearch, countContaining } from "../search/scan.ts"
import { listBetween } from "../search/store.ts"
import { countContacts } from "../store.ts"
import type { ContactCount } from "../table.ts"
import { contactRangeOf } from "../windows.ts"

/** A total, and the state of the project it was counted in. */
interface Remembered extends Pick<ContactCount, "moves" | "flips"> {
  readonly total: number
  readonly upTo: number
}

const mostRemembered = 500
const seqsPerStep = 2_000

/**
 * How many contacts contain a text, for texts that very many contain. The first count reads all of them; later ones
 * read only the contacts created since. A total is kept in memory with the counters `moves` and `flips` of the project,
 * which every deletion, change of address and change of state increments in its own unit: when they differ, the total
 * is counted again.
 */
export function createTotals({ store }: Pick<Engine, "store">) {
  const db = store.read
  const remembered = new LRUCache<string, Remembered>({ max: mostRemembered })

  async function countSince(projectId: string, searched: ContactSearch, from: number, upTo: number): Promise<number> {
    let total = 0
    for (let after = from; after < upTo; after += seqsPerStep) {
      const slice = await listBetween(db, projectId, searched.search, after, Math.min(after + seqsPerStep, upTo))
      total += slice.filter((one) => searched.subscribed === undefined || one.subscribed === searched.subscribed).length
      if (after + seqsPerStep < upTo) await yieldToEventLoop()
    }
    return total
  }

  return async (projectId: string, searched: ContactSearch): Promise<number> => {
    const name = [projectId, searched.subscribed, searched.search].join(" ")
    const range = await contactRangeOf(db, projectId)
    const upTo = range.last
    const { moves, flips } = await countContacts(db, projectId)
    const known = remembered.get(name)
    const isValid = known?.moves === moves && (searched.subscribed === undefined || known.flips === flips)
    const total =
      known && isValid
        ? known.total + (await countSince(projectId, searched, known.upTo, upTo))
        : await countContaining(store, range, searched)
    // If contacts changed during the count, the total may be off by those: it is shown, but not cached.
    const after = await countContacts(db, projectId)
    if (after.moves === moves && after.flips === flips) remembered.set(name, { total, upTo, moves, flips })
    return total
  }
}
