import type { Engine } from "../../engine.ts"
import type { Period } from "../../http/period.ts"
import { day } from "../../kernel/clock.ts"
import { maxId, nilId } from "../../kernel/ids.ts"
import type { Db } from "../../store/database.ts"
import { records, type Shown } from "./records.ts"
import type { Entry, Place, Source, Span } from "./source.ts"
import { sources } from "./sources.ts"
import type { CountActivity } from "./totals.ts"

/** An item of the feed (contract B7.1.0). */
export interface Activity extends Shown {
  readonly id: string
  readonly type: string
  /** In ms. */
  readonly at: number
}

export interface ActivityFilter {
  /** Absent: all of them. */
  readonly types?: readonly string[] | undefined
  readonly contactId?: string | undefined
  readonly period: Period
}

/** The position of an item in the feed, and the beginning of the period, which moves with time if it was not given. */
export interface FeedPosition extends Entry {
  readonly from: number
}

interface FeedPage {
  /** At most the limit, newest first. */
  readonly items: readonly Activity[]
  /** Where the next page begins; undefined on the last one. */
  readonly next: FeedPosition | undefined
  /** All matches; 0 after the first page (contract A1.4.3). */
  readonly total: number
}

export const defaultPeriodMs = 30 * day

const rankOf = (type: string): number => sources.findIndex((source) => source.type === type)

/** Newest first; entries of the same time in the order of the sources, then by id. */
const inOrder = (one: Entry, other: Entry): number =>
  other.at - one.at || rankOf(one.type) - rankOf(other.type) || (one.id < other.id ? 1 : -1)

/** Where a source continues after an entry of any source. */
function placeAfter({ type }: Source, { at, ...last }: Entry): Place {
  const rank = rankOf(type) - rankOf(last.type)
  return { at, id: rank === 0 ? last.id : rank > 0 ? maxId : nilId }
}

/** The feed of a project: merged by time from the records that exist, so nothing has to be kept for it. */
export function createFeed({ store, clock }: Pick<Engine, "store" | "clock">, count: CountActivity) {
  /** The items of entries, in their order. Those whose record has been deleted meanwhile are left out. */
  async function itemsOf(projectId: string, entries: readonly Entry[]): Promise<Activity[]> {
    const found = new Map<string, Map<string, Shown>>()
    const recordOf = new Map(sources.map(({ type, record }) => [type, record]))
    for (const [record, read] of Object.entries(records)) {
      const ids = entries.filter(({ type }) => recordOf.get(type) === record).map(({ id }) => id)
      if (ids.length > 0) found.set(record, await read(store.read, projectId, ids))
    }
    return entries.flatMap(({ type, id, at }) => {
      const source = sources[rankOf(type)]
      const shown = source && found.get(source.record)?.get(id)
      return shown ? [{ id: source.idOf(id), type, at, ...shown }] : []
    })
  }

  return {
    async list(
      projectId: string,
      { types, contactId, period }: ActivityFilter,
      after: FeedPosition | undefined,
      limit: number,
    ): Promise<FeedPage> {
      const wanted = types === undefined ? sources : sources.filter(({ type }) => types.includes(type))
      const from = period.from ?? after?.from ?? clock.now() - defaultPeriodMs
      const span: Span = { projectId, contactId, from }
      const first: Place = { at: period.to ?? Number.MAX_SAFE_INTEGER, id: maxId }

      const entriesIn = async (db: Db): Promise<Entry[]> => {
        const lists: Entry[][] = []
        for (const source of wanted)
          lists.push(await source.list(db, span, after ? placeAfter(source, after) : first, limit + 1))
        return lists
          .flat()
          .sort(inOrder)
          .slice(0, limit + 1)
      }
      const countIn = async (db: Db): Promise<number> => {
        let total = 0
        for (const source of wanted) total += await source.count(db, span, first.at)
        return total
      }
      // A contact may have any number of mails and events, and no index has them by time.
      const ofContact = <Rows>(query: (db: Db) => Promise<Rows>) => store.readPool.read(projectId, query)

      const entries = await (contactId === undefined ? entriesIn(store.read) : ofContact(entriesIn))
      const total = async (): Promise<number> => {
        if (contactId !== undefined) return ofContact(countIn)
        const totals = await count(projectId, wanted, { from, to: period.to })
        return totals.values().reduce((sum, one) => sum + one, 0)
      }
      const page = entries.slice(0, limit)
      const last = page.at(-1)
      return {
        items: await itemsOf(projectId, page),
        next: entries.length > limit && last ? { ...last, from } : undefined,
        total: after ? 0 : await total(),
      }
    },
  }
}
