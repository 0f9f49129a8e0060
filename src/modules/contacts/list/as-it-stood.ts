import type { Db } from "../../../store/database.ts"
import type { Contact } from "../table.ts"
import { lastMove, listMoved, movedAmong } from "./moves.ts"
import { beginningOf, comparing, type Order, type Place, placeOf } from "./order.ts"
import type { ContactFilter } from "./store.ts"

/** A contact of a list, and where it stands in it. */
export interface Listed {
  readonly contact: Contact
  readonly place: Place
}

export interface Paging {
  readonly after: Place | undefined
  readonly limit: number
}

/**
 * A page of the list by address as it stood when the walk began, for whoever gets another address on the way would else be
 * met twice, or never (contract A1.4.4). `listNow` lists by the addresses of now.
 */
export async function listAsItStood(
  db: Db,
  projectId: string,
  order: Order,
  filter: ContactFilter,
  { after, limit }: Paging,
  listNow: (paging: Paging) => Promise<readonly Contact[]>,
): Promise<Listed[]> {
  const since = after === undefined ? await lastMove(db) : after.since
  const listed = (contact: Contact, email: string): Listed => ({
    contact,
    place: { key: email, id: contact.id, ...(since === undefined ? {} : { since }) },
  })

  const first = await listNow({ after, limit })
  if (since === undefined || (await lastMove(db)) === since) return first.map((one) => listed(one, one.email))

  const here: Listed[] = []
  for (let rows = first; ; ) {
    const ids = rows.map(({ id }) => id)
    const moved = await movedAmong(db, ids, since)
    here.push(...rows.filter(({ id }) => !moved.has(id)).map((one) => listed(one, one.email)))
    const last = rows.at(-1)
    if (last === undefined || rows.length < limit || here.length >= limit) break
    rows = await listNow({ after: placeOf(order, last), limit })
  }
  // Asked last: whoever moves between two questions is found here, be it for the second time.
  const known = new Set(here.map(({ contact }) => contact.id))
  const elsewhere = await listMoved(db, projectId, order, filter, { since, after: after ?? beginningOf(order), limit })
  const compare = comparing(order)
  return [
    ...here,
    ...elsewhere.filter(({ contact }) => !known.has(contact.id)).map((one) => listed(one.contact, one.email)),
  ]
    .sort((one, other) => compare(one.place, other.place))
    .slice(0, limit)
}
