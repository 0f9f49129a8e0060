import type { Engine } from "../../engine.ts"
import { fillPage } from "../../http/page.ts"
import type { Db } from "../../store/database.ts"
import type { Contacts } from "../contacts/index.ts"
import {
  countMatching,
  countOfContact,
  type EventFilter,
  type EventPosition,
  hasContact,
  listByIds,
  listEvents,
  listNamed,
  newest,
  positionsMatching,
  positionsOfContact,
  positionsWithin,
  type Recorded,
} from "./store.ts"
import { countEvents, countWithin } from "./tally.ts"

export interface EventPage {
  readonly rows: readonly Recorded[]
  /** All matches; 0 after the first page (contract A1.4.3). */
  readonly total: number
}

export interface Paging {
  readonly after: EventPosition | undefined
  readonly limit: number
}

/** Events of one contact that are read on the event loop; those of a contact with more are read by the read pool. */
const few = 2_000

/** Lists of events, newest first. A page costs the same whatever the number of events. */
export function createEventLists({ store, contacts }: Pick<Engine, "store"> & { readonly contacts: Contacts }) {
  const db = store.read

  const pageOf = (
    projectId: string,
    limit: number,
    listPositions: (after: EventPosition | undefined, limit: number) => Promise<readonly EventPosition[]>,
  ): Promise<Recorded[]> =>
    fillPage(limit, listPositions, (found) =>
      listByIds(
        db,
        projectId,
        found.map(({ id }) => id),
      ),
    )

  /** Of a contact of the project. */
  async function pageOfContact(projectId: string, contactId: string, { after, limit }: Paging): Promise<EventPage> {
    const [seen] = await countOfContact(db, contactId, few + 1)
    const isBusy = seen !== undefined && seen.count > few
    const rows = await pageOf(projectId, limit, async (last = after ?? newest, wanted) => {
      const query = (db: Db) => positionsOfContact(db, projectId, contactId, last, wanted)
      return isBusy ? store.readPool.read(projectId, query) : query(db)
    })
    if (after) return { rows, total: 0 }
    if (!isBusy) return { rows, total: seen?.count ?? 0 }
    const [total] = await store.readPool.read(projectId, (db) => countOfContact(db, contactId, Number.MAX_SAFE_INTEGER))
    return { rows, total: total?.count ?? 0 }
  }

  return {
    /** All events of a project, or those that match (contract B4.2.3). */
    async list(projectId: string, filter: EventFilter, paging: Paging): Promise<EventPage> {
      const { after, limit } = paging
      const position = after ?? newest
      const { name, contactId, period } = filter
      const isOfPeriod = period?.from !== undefined || period?.to !== undefined
      if (contactId !== undefined && name === undefined && !isOfPeriod) {
        const isTheirs = await hasContact(db, projectId, contactId)
        return isTheirs ? pageOfContact(projectId, contactId, paging) : { rows: [], total: 0 }
      }
      if (contactId !== undefined || isOfPeriod) {
        const within = contactId === undefined && name === undefined ? period : undefined
        const rows = await pageOf(projectId, limit, (last = position, wanted) =>
          store.readPool.read(projectId, (on) =>
            within
              ? positionsWithin(on, projectId, within, last, wanted)
              : positionsMatching(on, projectId, filter, last, wanted),
          ),
        )
        if (after) return { rows, total: 0 }
        const [sum] = await store.readPool.read(projectId, (on) =>
          within ? countWithin(on, projectId, within) : countMatching(on, projectId, filter),
        )
        return { rows, total: sum?.count ?? 0 }
      }
      const rows =
        name === undefined
          ? await listEvents(db, projectId, position, limit)
          : await listNamed(db, projectId, name, position, limit)
      return { rows, total: after ? 0 : await countEvents(db, projectId, name) }
    },

    /** The events of one contact. @throws {DomainError} 404 when there is no such contact (contract B4.2.4) */
    async listOfContact(projectId: string, contactId: string, paging: Paging): Promise<EventPage> {
      await contacts.get(projectId, contactId)
      return pageOfContact(projectId, contactId, paging)
    },
  }
}
