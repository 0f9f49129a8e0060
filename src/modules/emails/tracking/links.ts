import { eq, sql } from "drizzle-orm"
import type { Engine } from "../../../engine.ts"
import { createLru } from "../../../kernel/lru.ts"
import { prepare } from "../../../store/prepare.ts"
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

const keptInMemory = 20_000
const keptCharacters = 4_000_000

/** The links that tracked messages lead to. Messages share them: a circular to any number of people stores its links once. */
export function linkStore({ store }: Pick<Engine, "store">) {
  /** Links known to be stored, so that what is sent often is not offered to the store each time. */
  const known = createLru<string>(keptInMemory, keptCharacters)

  return {
    /** Resolves when all of the links, addresses by their keys, are on disk: a message leaves only then. */
    async keep(projectId: string, links: ReadonlyMap<string, string>): Promise<void> {
      const fresh = [...links].filter(([hash]) => known.get(hash) === undefined)
      if (fresh.length === 0) return
      await store.write(projectId, async (unit) => {
        for (const [hash, url] of fresh) await insert(unit.db, { hash, projectId, url, createdAt: unit.now })
      })
      for (const [hash, url] of fresh) known.set(hash, url, url.length)
    },

    async find(hash: string): Promise<string | undefined> {
      const remembered = known.get(hash)
      if (remembered !== undefined) return remembered
      const [row] = await byHash(store.read, { hash })
      if (row) known.set(hash, row.url, row.url.length)
      return row?.url
    },
  }
}

export type LinkStore = ReturnType<typeof linkStore>
