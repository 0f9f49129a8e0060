import type { Engine } from "../../../engine.ts"
import { fillPage } from "../../../http/page.ts"
import type { Db } from "../../../store/database.ts"
import { findFew } from "../search/find.ts"
import { needleOf } from "../search/needle.ts"
import { createFewScan } from "../search/scan.ts"
import { type ContactSummary, countContacts } from "../store.ts"
import type { Contact, ContactCount } from "../table.ts"
import { contactRangeOf } from "../windows.ts"
import { comparePositions, endOf, type Order, positionOf, startOf } from "./order.ts"
import type { ContactPage, Paging } from "./page.ts"
import { type ContactFilter, listInOrder, listRange, listSubscribed } from "./store.ts"
import { createTotals } from "./totals.ts"
import { createValueSearch } from "./values.ts"
import { walkForPage } from "./walk.ts"

/** Up to this many matches are fetched and sorted in memory; a walk through more of them fills a page soon. */
const few = 1_000
/** The same where the matches are rare, so that a walk would take long to fill a page. */
const most = 5_000

const totalOf = ({ subscribed: some, unsubscribed: others }: ContactCount, state: boolean | undefined): number =>
  state === undefined ? some + others : state ? some : others

/** `GET /contacts` (contract A5.1): the cost of a page does not depend on the number of contacts. */
export function createContactList({ store }: Pick<Engine, "store">) {
  const db = store.read
  const totals = createTotals({ store })
  const scanForFew = createFewScan(store, few)
  const searchValues = createValueSearch(store)

  /** All contacts, or all of one state: an index contains them consecutively. */
  async function listAll(projectId: string, subscribed: boolean | undefined, order: Order, paging: Paging) {
    const counts = await countContacts(db, projectId)
    const { after = startOf(order), limit } = paging
    const range = { after, until: endOf(order) }
    const rows =
      subscribed === true && order.sort === "email"
        ? await listSubscribedByAddress(projectId, counts, order, paging)
        : await listRange(db, projectId, order, { subscribed }, range, limit)
    return { rows, total: totalOf(counts, subscribed) }
  }

  /**
   * No index holds subscribed contacts alone by address: every new contact would pay for it. They are sorted here when
   * there are fewer of them than contacts that the walk by address would pass.
   */
  async function listSubscribedByAddress(projectId: string, counts: ContactCount, order: Order, paging: Paging) {
    const { subscribed, unsubscribed } = counts
    const passed = (paging.limit * (subscribed + unsubscribed)) / Math.max(subscribed, 1)
    if (subscribed > Math.max(few, Math.min(passed, most)))
      return walkForPage(db, projectId, order, { subscribed: true }, paging)
    return pageOf(db, projectId, order, await listSubscribed(db, projectId), paging)
  }

  async function find(projectId: string, filter: ContactFilter & { search: string }, order: Order, paging: Paging) {
    const { search, subscribed } = filter
    const found =
      (await findFew(db, projectId, search, few)) ?? (await scanForFew(await contactRangeOf(db, projectId), search))
    if (found) {
      const matching = found.filter((one) => subscribed === undefined || one.subscribed === subscribed)
      return { rows: await pageOf(db, projectId, order, matching, paging), total: matching.length }
    }
    const rows = await walkForPage(db, projectId, order, filter, paging)
    return { rows, total: paging.after ? 0 : await totals(projectId, { search, subscribed }) }
  }

  /** The page after a position. Positions by address are the current ones (contract A1.4.4). */
  return async (
    projectId: string,
    { search, find: text, subscribed }: ContactFilter,
    order: Order,
    paging: Paging,
  ): Promise<ContactPage> => {
    if (text !== undefined) return searchValues(projectId, { text, subscribed }, order, paging)
    const needle = search === undefined ? undefined : needleOf(search)
    if (search !== undefined && needle === undefined) return { rows: [], total: 0 }
    const { rows, total } =
      needle === undefined
        ? await listAll(projectId, subscribed, order, paging)
        : await find(projectId, { search: needle, subscribed }, order, paging)
    return { rows, total: paging.after === undefined ? total : 0 }
  }
}

export type ContactList = ReturnType<typeof createContactList>

/** One page of a few contacts, which are sorted here. */
async function pageOf(
  db: Db,
  projectId: string,
  order: Order,
  found: readonly ContactSummary[],
  { after = startOf(order), limit }: Paging,
): Promise<Contact[]> {
  const compare = comparePositions(order)
  const sorted = found
    .map((one) => ({ position: positionOf(order, one), seq: one.seq }))
    .filter(({ position }) => compare(position, after) > 0)
    .sort((one, other) => compare(one.position, other.position))
  type Place = (typeof sorted)[number]
  return fillPage<Place, Contact>(
    limit,
    async (last, count) => {
      const from = last === undefined ? 0 : sorted.indexOf(last) + 1
      return sorted.slice(from, from + count)
    },
    (places) => listInOrder(db, projectId, order, places),
  )
}
