import type { Database } from "bun:sqlite"
import { sql } from "drizzle-orm"
import { type Log, reasonOf } from "../../kernel/log.ts"
import type { Db } from "../database.ts"
import type { Unit } from "../writer.ts"

/** The size of the database in its file, and the part of it that no row uses, in bytes. */
interface Space {
  readonly bytes: number
  readonly unusedBytes: number
}

const number = async (db: Db, name: string): Promise<number> =>
  Number(Object.values((await db.all<object>(sql.raw(`PRAGMA ${name}`)))[0] ?? {})[0] ?? 0)

export async function spaceOf(db: Db): Promise<Space> {
  const pageBytes = await number(db, "page_size")
  return {
    bytes: (await number(db, "page_count")) * pageBytes,
    unusedBytes: (await number(db, "freelist_count")) * pageBytes,
  }
}

/**
 * Moves up to this many pages from the end of the file into unused ones and truncates the file. Resolves to the bytes
 * freed.
 */
export async function cutPages(unit: Unit, pages: number): Promise<number> {
  const before = await spaceOf(unit.db)
  if (before.unusedBytes === 0) return 0
  await unit.db.all(sql.raw(`PRAGMA incremental_vacuum(${pages})`))
  return before.bytes - (await spaceOf(unit.db)).bytes
}

const incremental = 2

/**
 * Lets the file shrink. A new one is made so; one that an earlier version has made is rewritten once, which takes about a
 * second per 100 MB and needs as much free space as it has. Without that space it stays as it is until the next start.
 */
export function allowShrinking(client: Database, path: string, log: Log): void {
  const mode = client.query<{ auto_vacuum: number }, []>("PRAGMA auto_vacuum").get()?.auto_vacuum
  if (mode === incremental) return
  log.info("The database is rewritten once, so that it can give space back from now on", { path })
  try {
    client.run("PRAGMA auto_vacuum = INCREMENTAL")
    client.run("VACUUM")
    client.run("PRAGMA wal_checkpoint(TRUNCATE)")
  } catch (cause) {
    log.warn("The database could not be rewritten, so its file does not shrink", { path, reason: reasonOf(cause) })
  }
}
