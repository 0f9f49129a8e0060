import { yieldToEventLoop } from "../../../kernel/turn.ts"
import type { Db } from "../../../store/database.ts"
import type { Contact } from "../table.ts"
import { beginningOf, endOf, type Order, type Place } from "./order.ts"
import { type ContactFilter, countStretch, listStretch, placeBehind } from "./store.ts"

/** Contacts per step: a millisecond, or some when their rows must be read. Where many fit, the first and short one is enough. */
const firstStep = 500
const step = 2_000

/** The stretches of a list behind a place, each of a bounded number of contacts, with a turn of the event loop between. */
async function* stretches(db: Db, projectId: string, order: Order, subscribed: boolean | undefined, from: Place) {
  const end = endOf(order)
  for (let after = from, size = firstStep; ; size = step) {
    const until = await placeBehind(db, projectId, order, subscribed, { after, until: end }, size)
    yield { after, until: until ?? end }
    if (until === undefined) return
    after = until
    await yieldToEventLoop()
  }
}

/** The first contacts behind a place that fit, found by looking at one after the other. */
export async function walkForPage(
  db: Db,
  projectId: string,
  order: Order,
  filter: ContactFilter,
  { after = beginningOf(order), limit }: { readonly after: Place | undefined; readonly limit: number },
): Promise<Contact[]> {
  const found: Contact[] = []
  // By address, contacts of both states lie together, and steps are to be of contacts looked at.
  const subscribed = order.sort === "email" ? undefined : filter.subscribed
  for await (const stretch of stretches(db, projectId, order, subscribed, after)) {
    found.push(...(await listStretch(db, projectId, order, filter, stretch, limit - found.length)))
    if (found.length === limit) break
  }
  return found
}

const byTime: Order = { sort: "createdAt", dir: "asc" }

/** How many contacts of one state hold the text, of those up to a `seq`. */
export async function walkToCount(
  db: Db,
  projectId: string,
  filter: { readonly search: string; readonly subscribed: boolean },
  upTo: number,
): Promise<number> {
  let count = 0
  for await (const stretch of stretches(db, projectId, byTime, filter.subscribed, beginningOf(byTime)))
    count += await countStretch(db, projectId, filter, stretch, upTo)
  return count
}
