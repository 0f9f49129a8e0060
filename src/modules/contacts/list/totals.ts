import { yieldToEventLoop } from "../../../kernel/event-loop.ts"
import { createLru } from "../../../kernel/lru.ts"
import type { Db } from "../../../store/database.ts"
import { lastSeq, listBetween } from "../search/store.ts"
import { countContacts } from "../store.ts"
import type { ContactCount } from "../table.ts"
import { walkToCount } from "./walk.ts"

export interface Searched {
  readonly search: string
  readonly subscribed?: boolean | undefined
}

/** A number that was counted once, and what it was counted in. */
interface Remembered extends Pick<ContactCount, "moves" | "flips"> {
  readonly total: number
  readonly upTo: number
}

const mostRemembered = 500
const step = 2_000

/**
 * How many contacts hold a text, for texts that very many hold. All of them are looked at once; after that the number is
 * remembered, and only contacts created since are looked at, until one that was counted is deleted, gets another address
 * or, where the state matters, flips.
 */
export function createTotals(db: Db) {
  const remembered = createLru<Remembered>(mostRemembered)

  async function count(projectId: string, { search, subscribed }: Searched, upTo: number): Promise<number> {
    let total = 0
    for (const state of [true, false])
      if (subscribed === undefined || subscribed === state)
        total += await walkToCount(db, projectId, { search, subscribed: state }, upTo)
    return total
  }

  async function countSince(projectId: string, searched: Searched, from: number, upTo: number): Promise<number> {
    let total = 0
    for (let after = from; after < upTo; after += step) {
      const slice = await listBetween(db, projectId, searched.search, after, Math.min(after + step, upTo))
      total += slice.filter((one) => searched.subscribed === undefined || one.subscribed === searched.subscribed).length
      if (after + step < upTo) await yieldToEventLoop()
    }
    return total
  }

  return async (projectId: string, searched: Searched): Promise<number> => {
    const name = [projectId, searched.subscribed, searched.search].join(" ")
    const upTo = await lastSeq(db)
    const { moves, flips } = await countContacts(db, projectId)
    const known = remembered.get(name)
    const holds = known?.moves === moves && (searched.subscribed === undefined || known.flips === flips)
    const total =
      known && holds
        ? known.total + (await countSince(projectId, searched, known.upTo, upTo))
        : await count(projectId, searched, upTo)
    // What is counted while contacts move may be off by them: good enough to show, but not to build on.
    const after = await countContacts(db, projectId)
    if (after.moves === moves && after.flips === flips) remembered.set(name, { total, upTo, moves, flips })
    return total
  }
}
