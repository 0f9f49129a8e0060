import { yieldToEventLoop } from "../../../kernel/event-loop.ts"
import type { Db } from "../../../store/database.ts"
import type { Contact } from "../table.ts"
import { endOf, type Order, type Position, startOf } from "./order.ts"
import { type ContactFilter, listRange, positionAfter, type Range } from "./store.ts"

/**
 * Contacts per step: reading a step from an index takes a millisecond, with the rows somewhat longer. The first is short:
 * it is enough where many contacts match.
 */
const firstStep = 500
const step = 2_000

/** The ranges of a list after a position, each of a bounded number of contacts; yields to the event loop between them. */
async function* ranges(
  db: Db,
  projectId: string,
  order: Order,
  subscribed: boolean | undefined,
  from: Position,
): AsyncGenerator<Range> {
  const end = endOf(order)
  for (let after = from, size = firstStep; ; size = step) {
    const until = await positionAfter(db, projectId, order, subscribed, { after, until: end }, size)
    yield { after, until: until ?? end }
    if (until === undefined) return
    after = until
    await yieldToEventLoop()
  }
}

/** The first matches after a position, found by testing one contact after the other. */
export async function walkForPage(
  db: Db,
  projectId: string,
  order: Order,
  filter: ContactFilter,
  { after = startOf(order), limit }: { readonly after: Position | undefined; readonly limit: number },
): Promise<Contact[]> {
  const found: Contact[] = []
  // The index by address mixes both states, and a step is a number of contacts read, not of matches.
  const subscribed = order.sort === "email" ? undefined : filter.subscribed
  for await (const range of ranges(db, projectId, order, subscribed, after)) {
    found.push(...(await listRange(db, projectId, order, filter, range, limit - found.length)))
    if (found.length === limit) break
  }
  return found
}
