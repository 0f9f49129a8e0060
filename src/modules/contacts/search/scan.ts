import { and, count, desc, lte, type SQL } from "drizzle-orm"
import { LRUCache } from "lru-cache"
import type { Db } from "../../../store/database.ts"
import { holdsText, isFlag, unindexed } from "../../../store/dialect.ts"
import type { Store } from "../../../store/store.ts"
import { type ContactSummary, summaryColumns } from "../store.ts"
import { contactTable } from "../table.ts"
import { type ContactRange, isInWindow, isOfProject, readWindows, windowsOf } from "../windows.ts"

// Searches that no index answers read the addresses of all contacts: on the threads of the pool when there are many.

type Stores = Pick<Store, "read" | "readPool">

export interface ContactSearch {
  readonly search: string
  readonly subscribed?: boolean | undefined
}

/** Up to this many contacts are read on the event loop: some milliseconds. */
const mostHere = 5_000
/** Contacts that one read on the pool looks at. */
const rowsPerStep = 50_000

const containing = ({ search, subscribed }: ContactSearch): SQL | undefined =>
  and(
    subscribed === undefined ? undefined : isFlag(contactTable.subscribed, subscribed),
    holdsText(contactTable.email, search),
  )

const isUpTo = ({ last }: ContactRange): SQL => lte(unindexed(contactTable.seq), last)

/** How many contacts contain a text, of those in a range. */
export async function countContaining(
  { read, readPool }: Stores,
  range: ContactRange,
  searched: ContactSearch,
): Promise<number> {
  const query = (db: Db, inRange: SQL | undefined) =>
    db
      .select({ total: count() })
      .from(contactTable)
      .where(and(inRange, containing(searched)))
  const counts =
    range.contacts <= mostHere
      ? [await query(read, and(isOfProject(range), isUpTo(range)))]
      : await readWindows(readPool, range.projectId, windowsOf(range, rowsPerStep), (db, window) =>
          query(db, isInWindow(range, window)),
        )
  return counts.reduce((sum, [row]) => sum + (row?.total ?? 0), 0)
}

const mostCommon = 1_000

/**
 * Finds the contacts that contain a text, unordered; undefined when there are more than `most`, or the project is
 * small. Texts with more matches are remembered for the next pages; a stale entry only makes the list take longer.
 */
export function createFewScan({ readPool }: Pick<Stores, "readPool">, most: number) {
  const common = new LRUCache<string, true>({ max: mostCommon })
  return async (range: ContactRange, search: string): Promise<ContactSummary[] | undefined> => {
    const name = `${range.projectId} ${search}`
    if (range.contacts <= mostHere || common.has(name)) return undefined
    const found = await listUpTo(readPool, range, search, most)
    if (found.length <= most) return found
    common.set(name, true)
    return undefined
  }
}

/** The contacts that contain a text, unordered; some of them when there are more than `most`. */
async function listUpTo(
  readPool: Store["readPool"],
  range: ContactRange,
  search: string,
  most: number,
): Promise<ContactSummary[]> {
  const found: ContactSummary[] = []
  await readWindows(readPool, range.projectId, windowsOf(range, rowsPerStep), async (db, window) => {
    if (found.length > most) return
    const rows = await db
      .select(summaryColumns)
      .from(contactTable)
      .where(and(isInWindow(range, window), containing({ search })))
      .orderBy(desc(contactTable.seq))
      .limit(most + 1)
    found.push(...rows)
  })
  return found
}
