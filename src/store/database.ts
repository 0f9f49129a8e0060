import { Database } from "bun:sqlite"
import { chmodSync, existsSync } from "node:fs"
import { type BunSQLiteDatabase, drizzle } from "drizzle-orm/bun-sqlite"
import { DomainError } from "../kernel/errors.ts"
import { reasonOf } from "../kernel/log.ts"
import { utmostLog } from "./checkpoints.ts"

export type Db = BunSQLiteDatabase<Record<string, never>>

export interface Handle {
  readonly client: Database
  readonly db: Db
}

/**
 * The writing connection: WAL, and FULL so that what is acknowledged is on disk. The busy timeout covers short writes
 * of a command that works beside a running server. `accept` looks at the file before anything in it is changed; when it
 * throws, the connection is closed.
 */
export function openWriter(path: string, accept: (client: Database) => void): Handle {
  const fresh = !existsSync(path)
  const client = open(path, { readwrite: true, create: true })
  try {
    if (fresh) chmodSync(path, 0o600)
    client.run("PRAGMA busy_timeout = 5000")
    accept(client)
    return tuned(client)
  } catch (cause) {
    client.close()
    throw cause
  }
}

function tuned(client: Database): Handle {
  client.run("PRAGMA journal_mode = WAL")
  client.run("PRAGMA synchronous = FULL")
  client.run("PRAGMA foreign_keys = ON")
  client.run(`PRAGMA wal_autocheckpoint = ${utmostLog}`)
  client.run("PRAGMA cache_size = -32768")
  client.run("PRAGMA temp_store = MEMORY")
  return { client, db: drizzle(client) }
}

/** A connection that cannot write: everything outside a unit of work reads through it. */
export function openReader(path: string): Handle {
  const client = open(path, { readonly: true })
  client.run("PRAGMA busy_timeout = 5000")
  client.run("PRAGMA cache_size = -16384")
  return { client, db: drizzle(client) }
}

function open(path: string, options: { readonly?: boolean; readwrite?: boolean; create?: boolean }): Database {
  try {
    return new Database(path, options)
  } catch (cause) {
    throw unusable(path, cause)
  }
}

/** Says which file cannot be used, why, and what to do about it. */
export function unusable(path: string, cause: unknown): DomainError {
  const code = (cause as { code?: string } | null)?.code ?? ""
  const advice: Record<string, string> = {
    SQLITE_NOTADB: "It is not a Mailstead database: name another data folder, or restore a backup.",
    SQLITE_CORRUPT: "It is damaged: restore a backup.",
    SQLITE_CANTOPEN: "It cannot be opened: check that the folder exists and belongs to the user that runs Mailstead.",
    SQLITE_READONLY: "It cannot be written: check the permissions of the data folder.",
    SQLITE_FULL: "The disk is full: free some space.",
  }
  const known = Object.keys(advice).find((name) => code.startsWith(name))
  return new DomainError(
    "unavailable",
    "STORE_UNUSABLE",
    `${path}: ${reasonOf(cause)}. ${known ? advice[known] : ""}`.trim(),
  )
}
