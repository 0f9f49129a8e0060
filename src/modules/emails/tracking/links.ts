import { eq, sql } from "drizzle-orm"
import { LRUCache } from "lru-cache"
import type { Engine } from "../../../engine.ts"
import { day, isWithin } from "../../../kernel/clock.ts"
import type { Db } from "../../../store/database.ts"
import { idParam } from "../../../store/dialect.ts"
import { prepare } from "../../../store/prepare.ts"
import type { Unit } from "../../../store/writer.ts"
import { linkTable } from "../table.ts"

const insert = prepare((db) =>
  db
    .insert(linkTable)
    .values({
      hash: sql.placeholder("hash"),
      projectId: idParam("projectId"),
      url: sql.placeholder("url"),
      createdAt: sql.placeholder("createdAt"),
      usedAt: sql.placeholder("createdAt"),
    })
    .onConflictDoUpdate({
      target: linkTable.hash,
      // Only increases, although the clock may be set back.
      set: {
        usedAt: sql`CASE WHEN excluded.used_at > ${linkTable.usedAt} THEN excluded.used_at ELSE ${linkTable.usedAt} END`,
      },
    }),
)

const byHash = prepare((db) =>
  db
    .select({ url: linkTable.url, usedAt: linkTable.usedAt })
    .from(linkTable)
    .where(eq(linkTable.hash, sql.placeholder("hash"))),
)

/** How long, in ms, `usedAt` may be behind the last use. */
export const linkUsedAtLag = 7 * day

const cachedBytes = 8_000_000
/** About what a link takes beside its URL. */
const perLink = 200

/** The links of tracked messages. Messages share them, so a campaign stores its links once. */
export function createLinkStore({ store, clock }: Pick<Engine, "store" | "clock">) {
  /**
   * Links known to be stored, so that links that are sent often are not written again within a week. They may be in
   * memory because a URL never changes, `erase` removes them with their rows, and retention keeps them for longer.
   */
  const cache = new LRUCache<string, { readonly url: string; readonly usedAt: number }>({
    // Without a number of entries, for which it would take the memory at once.
    maxSize: cachedBytes,
    sizeCalculation: ({ url }) => url.length + perLink,
  })
  const isFresh = (hash: string) => isWithin(linkUsedAtLag, clock.now(), cache.get(hash)?.usedAt ?? 0)

  return {
    /** Resolves when all of the links, URLs by their keys, are on disk; a message is sent only then. */
    async save(projectId: string, links: ReadonlyMap<string, string>): Promise<void> {
      const due = [...links].filter(([hash]) => !isFresh(hash))
      if (due.length === 0) return
      await store.write(projectId, async (unit) => {
        for (const [hash, url] of due) await insert(unit.db, { hash, projectId, url, createdAt: unit.now })
        unit.afterCommit(() => {
          for (const [hash, url] of due) cache.set(hash, { url, usedAt: unit.now })
        })
      })
    },

    /** Deletes all links of a project; those in sent mail become invalid. */
    async erase(unit: Unit, projectId: string): Promise<void> {
      await unit.db.delete(linkTable).where(eq(linkTable.projectId, projectId))
      unit.afterCommit(() => cache.clear())
    },

    async find(hash: string, db: Db = store.read): Promise<string | undefined> {
      const cached = cache.get(hash)
      if (cached !== undefined) return cached.url
      const [row] = await byHash(db, { hash })
      if (row) cache.set(hash, row)
      return row?.url
    },
  }
}

export type LinkStore = ReturnType<typeof createLinkStore>
