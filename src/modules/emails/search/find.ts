import type { Db } from "../../../store/database.ts"
import type { Store } from "../../../store/store.ts"
import { isSearchable, placesOf } from "../../../store/text-block.ts"
import { type BlockCounts, type CountedBlock, createBlockCounts } from "./counts.ts"
import { end, findBlock, hasBlocks, idAt, listBlocks, type Range, start } from "./store.ts"

interface Search {
  readonly projectId: string
  readonly text: string
  /** The id before which the page begins. */
  readonly after: string | undefined
  readonly limit: number
}

/** Reads messages one by one, those that contain the text: the newest, or their number. */
export interface Scan {
  readonly ids: (db: Db, range: Range, limit: number) => PromiseLike<readonly { readonly id: string }[]>
  readonly count: (db: Db, range: Range) => PromiseLike<readonly { readonly count: number }[]>
}

interface Found {
  readonly ids: readonly string[]
  readonly total: number
}

/** With more gaps between the blocks, the index is still being built, and reading all messages is no slower. */
const mostGaps = 20

/**
 * Finds messages by their recipient or subject: searches the blocks on threads of the pool, and reads the messages that
 * are in no block. Undefined when there are no blocks, or they changed during the search.
 */
export const createTextSearch = (store: Pick<Store, "read" | "readPool">) => {
  const countEach = createBlockCounts(store)
  return (search: Search, scan: Scan) => findByText(store, countEach, search, scan)
}

export type TextSearch = ReturnType<typeof createTextSearch>

async function findByText(
  { read, readPool }: Pick<Store, "read" | "readPool">,
  countEach: BlockCounts,
  { projectId, text, after, limit }: Search,
  scan: Scan,
): Promise<Found | undefined> {
  if (!isSearchable(text) || !(await hasBlocks(read, projectId))) return undefined
  const blocks = await readPool.read(projectId, (db) => listBlocks(db, projectId, after ?? end))
  const pieces = piecesOf(await countEach(projectId, text, blocks), after ?? end)
  const gaps = pieces.filter((piece) => !isBlock(piece))
  if (gaps.length > mostGaps) return undefined
  const inGaps = new Map(
    await Promise.all(
      gaps.map(async (gap) => [gap, await readPool.read(projectId, (db) => scan.ids(db, gap, limit))] as const),
    ),
  )

  const ids: string[] = []
  let total = 0
  for (const piece of pieces) {
    const wanted = limit - ids.length
    if (isBlock(piece)) {
      total += piece.count
      if (wanted > 0 && piece.count > 0) ids.push(...(await idsIn(piece, wanted)))
      continue
    }
    const found = inGaps.get(piece) ?? []
    ids.push(...found.slice(0, Math.max(0, wanted)).map(({ id }) => id))
    if (after !== undefined || found.length < limit) total += found.length
    else total += (await readPool.read(projectId, (db) => scan.count(db, piece)))[0]?.count ?? 0
  }
  return { ids, total }

  async function idsIn({ seq, ...range }: CountedBlock, wanted: number): Promise<string[]> {
    const block = await findBlock(read, seq)
    if (block === undefined) return (await scan.ids(read, range, wanted)).map(({ id }) => id)
    const { recipients: own, subjects: shared, starts } = block
    const places = placesOf({ own, shared, starts }, text).reverse().slice(0, wanted)
    const found: string[] = []
    for (const place of places) found.push((await idAt(read, projectId, range, place)) ?? "")
    return found
  }
}

type Piece = Range | CountedBlock

const isBlock = (piece: Piece): piece is CountedBlock => "seq" in piece

/** Blocks, newest first, and the gaps between them. */
function piecesOf(blocks: readonly CountedBlock[], last: string): Piece[] {
  const pieces: Piece[] = []
  let until = last
  for (const block of blocks) {
    if (block.lastId < until) pieces.push({ afterId: block.lastId, lastId: until })
    pieces.push(block)
    until = block.afterId
  }
  if (until > start) pieces.push({ afterId: start, lastId: until })
  return pieces
}
