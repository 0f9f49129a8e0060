import type { Db } from "../../../store/database.ts"
import type { Slim } from "../store.ts"
import { listAmong, listBetween, listIndexed, reachOfIndex } from "./store.ts"

/** Shorter texts have no trigram. */
const shortest = 3
/** More contacts than this behind the mark are not looked through: their project is walked instead. */
export const longestTail = 5_000

/**
 * The contacts of a project whose address holds the text, when they are few: the index tells those up to its mark, the
 * contacts behind it are looked at one by one. Undefined when there may be more than `most`, or the index is of no help.
 */
export async function findFew(db: Db, projectId: string, search: string, most: number): Promise<Slim[] | undefined> {
  if (search.length < shortest) return undefined
  // The mark comes first: what is indexed meanwhile is then found twice, and never missed.
  const { mark, last } = await reachOfIndex(db)
  if (last - mark > longestTail) return undefined
  const candidates = await listIndexed(db, search, most + 1)
  if (candidates.length > most) return undefined
  const found = await listAmong(db, projectId, search, candidates)
  const tail = last > mark ? await listBetween(db, projectId, search, mark, last) : []
  const all = [...new Map([...found, ...tail].map((one) => [one.seq, one])).values()]
  return all.length > most ? undefined : all
}
