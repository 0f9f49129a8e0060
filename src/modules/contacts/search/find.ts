import { createLru, type Lru } from "../../../kernel/lru.ts"
import type { Db } from "../../../store/database.ts"
import { trigramsOf } from "../../../store/dialect.ts"
import type { Slim } from "../store.ts"
import { listAmong, listBetween, listHaving, reachOfIndex, seqHaving } from "./store.ts"

/** Shorter texts have no trigram. */
const shortest = 3
/** More contacts than this behind the mark are not looked through: their project is walked instead. */
const longestTail = 5_000

/**
 * The contacts of a project whose address holds the text, when they are few: the index tells those up to its mark, the
 * contacts behind it are looked at one by one. Undefined when there may be more than `most`, or the index is of no help.
 */
export async function findFew(db: Db, projectId: string, search: string, most: number): Promise<Slim[] | undefined> {
  if (search.length < shortest) return undefined
  // The mark comes first: what is indexed meanwhile is then found twice, and never missed.
  const { mark, last } = await reachOfIndex(db)
  if (last - mark > longestTail) return undefined
  const candidates = await listHaving(db, await rarestOf(db, search, mark), most + 1)
  if (candidates.length > most) return undefined
  const found = await listAmong(db, projectId, search, candidates)
  const tail = last > mark ? await listBetween(db, projectId, search, mark, last) : []
  const all = [...new Map([...found, ...tail].map((one) => [one.seq, one])).values()]
  return all.length > most ? undefined : all
}

/** So many trigrams leave few contacts that need not be looked at; asking for more of them costs more than it saves. */
const mostAsked = 3
const mostWeighed = 24
/** How much more common than the rarest of them another trigram may be to be worth asking for. */
const muchMoreCommon = 8
const sample = 50

/** The rarest trigrams of a text; common ones are in so many addresses that the index takes long to go through them. */
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
    .slice(0, mostAsked)
    .map(({ trigram }) => trigram)
}

/** Kept for each handle, as prepared queries are. A rarity is a guess, and good for as long as the index has not doubled. */
const rarities = new WeakMap<Db, Lru<number>>()
const mostRemembered = 10_000

/** How far one has to go through all contacts to meet a trigram some times. */
async function rarityOf(db: Db, trigram: string, indexed: number): Promise<number> {
  const known = rarities.get(db) ?? createLru<number>(mostRemembered)
  rarities.set(db, known)
  const name = `${Math.floor(Math.log2(indexed + 1))} ${trigram}`
  const remembered = known.get(name)
  if (remembered !== undefined) return remembered
  const rarity = (await seqHaving(db, trigram, sample)) ?? Number.MAX_SAFE_INTEGER
  known.set(name, rarity)
  return rarity
}
