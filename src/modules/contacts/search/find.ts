import { LRUCache } from "lru-cache"
import type { Db } from "../../../store/database.ts"
import { trigramsOf } from "../../../store/dialect.ts"
import type { ContactSummary } from "../store.ts"
import { listAmong, listBetween, listHaving, readIndexState, seqHaving } from "./store.ts"

/** Shorter texts have no trigram. */
const shortest = 3
/** More contacts than this after the mark are not scanned: the project is walked instead. */
const longestTail = 5_000

/**
 * The contacts of a project whose address contains the text, when they are few: the index has those up to its mark, those
 * after it are scanned. Undefined when there may be more than `most`, or the index cannot help.
 */
export async function findFew(
  db: Db,
  projectId: string,
  search: string,
  most: number,
): Promise<ContactSummary[] | undefined> {
  if (search.length < shortest) return undefined
  // The mark is read first: what is indexed meanwhile is then found twice instead of not at all.
  const { mark, last } = await readIndexState(db)
  if (last - mark > longestTail) return undefined
  const candidates = await listHaving(db, await rarestOf(db, search, mark), most + 1)
  if (candidates.length > most) return undefined
  const found = await listAmong(db, projectId, search, candidates)
  const tail = last > mark ? await listBetween(db, projectId, search, mark, last) : []
  const all = [...new Map([...found, ...tail].map((one) => [one.seq, one])).values()]
  return all.length > most ? undefined : all
}

/** A query for more trigrams than this costs more than it saves. */
const mostQueried = 3
const mostWeighed = 24
/** A trigram so many times more common than the rarest one is not worth a query. */
const muchMoreCommon = 8
const sample = 50

/** The rarest trigrams of a text; the index takes long to read the many entries of common ones. */
async function rarestOf(db: Db, text: string, indexed: number): Promise<string[]> {
  const all = trigramsOf(text)
  const every = Math.ceil(all.length / mostWeighed)
  const weighed: { trigram: string; rarity: number }[] = []
  for (const trigram of all.filter((_, at) => at % every === 0))
    weighed.push({ trigram, rarity: await rarityOf(db, trigram, indexed) })
  weighed.sort((one, other) => other.rarity - one.rarity)
  const least = (weighed[0]?.rarity ?? 0) / muchMoreCommon
  return weighed
    .filter(({ rarity }) => rarity >= least)
    .slice(0, mostQueried)
    .map(({ trigram }) => trigram)
}

/** Cached per database handle, like prepared queries. A stale rarity makes a search slower, never wrong. */
const rarities = new WeakMap<Db, LRUCache<string, number>>()
const mostRemembered = 10_000

/** How many contacts must be read to find a trigram `sample` times. */
async function rarityOf(db: Db, trigram: string, indexed: number): Promise<number> {
  const known = rarities.get(db) ?? new LRUCache<string, number>({ max: mostRemembered })
  rarities.set(db, known)
  const name = `${Math.floor(Math.log2(indexed + 1))} ${trigram}`
  const remembered = known.get(name)
  if (remembered !== undefined) return remembered
  const rarity = (await seqHaving(db, trigram, sample)) ?? Number.MAX_SAFE_INTEGER
  known.set(name, rarity)
  return rarity
}
