import { eq, sql } from "drizzle-orm"
import { LRUCache } from "lru-cache"
import type { Engine } from "../../../engine.ts"
import { prepare } from "../../../store/prepare.ts"
import type { Unit } from "../../../store/writer.ts"
import { linkTable } from "../table.ts"

const insert = prepare((db) =>
  db
    .insert(linkTable)
    .values({
      hash: sql.placeholder("hash"),
      projectId: sql.placeholder("projectId"),
      url: sql.placeholder("url"),
      createdAt: sql.placeholder("createdAt"),
    })
    .onConflictDoNothing(),
)

const byHash = prepare((db) =>
  db
    .select({ url: linkTable.url })
    .from(linkTable)
    .where(eq(linkTable.hash, sql.placeholder("hash"))),
)

/** The key of a stored link: 128 bits of a hash of project and address, in hexadecimal digits. */
export const linkKey = (projectId: string, url: string): string =>
  new Bun.CryptoHasher("sha256").update(`${projectId}\n${url}`).digest("hex").slice(0, 32)

const cachedLinks = 20_000
const cachedCharacters = 4_000_000

/** The links of tracked messages. Messages share them, so a campaign stores its links once. */
export function createLinkStore({ store }: Pick<Engine, "store">) {
  /**
   * Links known to be stored, so that links that are sent often are not written again. They may be in memory because a
   * row never changes, and `erase` removes them with their rows.
   */
  const cache = new LRUCache<string, string>({
    max: cachedLinks,
    maxSize: cachedCharacters,
    sizeCalculation: (url) => url.length + 1,
  })

  return {
    /** Resolves when all of the links, URLs by their keys, are on disk; a message is sent only then. */
    async save(projectId: string, links: ReadonlyMap<string, string>): Promise<void> {
      const fresh = [...links].filter(([hash]) => cache.get(hash) === undefined)
      if (fresh.length === 0) return
      await store.write(projectId, async (unit) => {
        for (const [hash, url] of fresh) await insert(unit.db, { hash, projectId, url, createdAt: unit.now })
        unit.afterCommit(() => {
          for (const [hash, url] of fresh) cache.set(hash, url)
        })
      })
    },

    /** Deletes all links of a project; those in sent mail become invalid. */
    async erase(unit: Unit, projectId: string): Promise<void> {
      await unit.db.delete(linkTable).where(eq(linkTable.projectId, projectId))
      unit.afterCommit(() => cache.clear())
    },

    async find(hash: string): Promise<string | undefined> {
      const cached = cache.get(hash)
      if (cached !== undefined) return cached
      const [row] = await byHash(store.read, { hash })
      if (row) cache.set(hash, row.url)
      return row?.url
    },
  }
}

export type LinkStore = ReturnType<typeof createLinkStore>
