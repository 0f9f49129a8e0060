import type { Engine } from "../../../engine.ts"
import type { Db } from "../../../store/database.ts"
import { findFew } from "../search/find.ts"
import { needleOf } from "../search/needle.ts"
import { countContacts, type Slim } from "../store.ts"
import type { Contact, ContactCount } from "../table.ts"
import { type Listed, listAsItStood, type Paging } from "./as-it-stood.ts"
import { beginningOf, comparing, endOf, type Order, placeOf } from "./order.ts"
import { type ContactFilter, listBySeq, listStretch, listSubscribed } from "./store.ts"
import { createTotals } from "./totals.ts"
import { walkForPage } from "./walk.ts"

export interface ContactPage {
  readonly rows: readonly Listed[]
  /** All matches; 0 behind the first page (contract A1.4.3). */
  readonly total: number
}

/** Matches that are fetched and sorted; where there are more, a walk meets enough of them soon. */
const few = 1_000
/** The same where a walk would meet them late. */
const most = 5_000

const totalOf = ({ subscribed: some, unsubscribed: others }: ContactCount, state: boolean | undefined): number =>
  state === undefined ? some + others : state ? some : others

/** `GET /contacts` (contract A5.1): a page costs the same whatever the number of contacts. */
export function contactList({ store }: Pick<Engine, "store">) {
  const db = store.read
  const totals = createTotals(db)

  /** Everybody, or everybody of one state: these lie together in an index. */
  async function listAll(projectId: string, subscribed: boolean | undefined, order: Order, paging: Paging) {
    const counts = await countContacts(db, projectId)
    const { after = beginningOf(order), limit } = paging
    const stretch = { after, until: endOf(order) }
    const rows =
      subscribed === true && order.sort === "email"
        ? await listSubscribedByAddress(projectId, counts, order, paging)
        : await listStretch(db, projectId, order, { subscribed }, stretch, limit)
    return { rows, total: totalOf(counts, subscribed) }
  }

  /**
   * No index has subscribed contacts together by address, for it would cost every new contact its part. They are sorted
   * here while they are fewer than the walk by address would pass.
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
    const found = await findFew(db, projectId, search, few)
    if (found) {
      const fitting = found.filter((one) => subscribed === undefined || one.subscribed === subscribed)
      return { rows: await pageOf(db, projectId, order, fitting, paging), total: fitting.length }
    }
    const rows = await walkForPage(db, projectId, order, filter, paging)
    return { rows, total: paging.after ? 0 : await totals(projectId, { search, subscribed }) }
  }

  return async (
    projectId: string,
    { search, subscribed }: ContactFilter,
    order: Order,
    paging: Paging,
  ): Promise<ContactPage> => {
    const needle = search === undefined ? undefined : needleOf(search)
    if (search !== undefined && needle === undefined) return { rows: [], total: 0 }
    const filter = { search: needle, subscribed }
    let total = 0
    const listNow = async (part: Paging): Promise<readonly Contact[]> => {
      const page =
        needle === undefined
          ? await listAll(projectId, subscribed, order, part)
          : await find(projectId, { search: needle, subscribed }, order, part)
      if (paging.after === undefined && part.after === undefined) total = page.total
      return page.rows
    }
    const rows =
      order.sort === "email"
        ? await listAsItStood(db, projectId, order, filter, paging, listNow)
        : (await listNow(paging)).map((contact) => ({ contact, place: placeOf(order, contact) }))
    return { rows, total }
  }
}

/** The page of a handful of contacts that are sorted here. */
async function pageOf(
  db: Db,
  projectId: string,
  order: Order,
  found: readonly Slim[],
  { after = beginningOf(order), limit }: Paging,
): Promise<Contact[]> {
  const compare = comparing(order)
  const places = found
    .map((one) => ({ place: placeOf(order, one), seq: one.seq }))
    .filter(({ place }) => compare(place, after) > 0)
    .sort((one, other) => compare(one.place, other.place))
    .slice(0, limit)
  const rows = await listBySeq(
    db,
    projectId,
    places.map(({ seq }) => seq),
  )
  return rows.sort((one, other) => compare(placeOf(order, one), placeOf(order, other)))
}
