import { Database } from "bun:sqlite"
import { accessSync, chmodSync, constants, existsSync } from "node:fs"
import { drizzle } from "drizzle-orm/bun-sqlite"
import type { Db } from "../database.ts"
import { unusable } from "../unusable.ts"
import { longestLog } from "./checkpoints.ts"

/** The size to which the log file is truncated when the log restarts after a long read, such as that of a backup. */
export const keptLogBytes = 67_108_864

/**
 * The page cache of a connection: 8 MB. At the end of most transactions SQLite visits every cached page: balancing a B-tree
 * gives a page the number of the one at 1 GiB for a moment, and in a smaller database the pages beyond its end are dropped
 * then. So a large cache makes commits slower. What is not cached here is read from the page cache of the system.
 */
const cachedPages = 2_048

/** How long a connection waits for another process that writes, in ms. */
export const busyMs = 5_000

export interface Handle {
  readonly client: Database
  readonly db: Db
}

/**
 * The writing connection: WAL, and NORMAL, with which SQLite syncs the log and the database around a checkpoint, but not
 * at a commit: `log-sync.ts` does that. The busy timeout is for the opening and the closing; in between `writer.ts` waits.
 * `accept` checks the file before anything in it is changed; when it throws, the connection is closed.
 */
export function openWriter(path: string, accept: (client: Database) => void): Handle {
  const fresh = !existsSync(path)
  const client = open(path, { readwrite: true, create: true })
  try {
    if (fresh) chmodSync(path, 0o600)
    else requireWritable(path)
    client.run(`PRAGMA busy_timeout = ${busyMs}`)
    accept(client)
    // It has no effect once there is a table, but writes a page and syncs it.
    if (fresh) client.run("PRAGMA auto_vacuum = INCREMENTAL")
    return configure(client)
  } catch (cause) {
    client.close()
    throw cause
  }
}

/** SQLite opens a file without write permission silently, and fails at the first write. */
function requireWritable(path: string): void {
  try {
    accessSync(path, constants.W_OK)
  } catch (cause) {
    throw unusable(path, cause)
  }
}

function configure(client: Database): Handle {
  client.run("PRAGMA journal_mode = WAL")
  client.run("PRAGMA synchronous = NORMAL")
  client.run("PRAGMA foreign_keys = ON")
  client.run(`PRAGMA wal_autocheckpoint = ${longestLog}`)
  client.run(`PRAGMA journal_size_limit = ${keptLogBytes}`)
  client.run(`PRAGMA cache_size = ${cachedPages}`)
  client.run("PRAGMA temp_store = MEMORY")
  return { client, db: drizzle(client) }
}

/** A read-only connection, for all reads outside units of work. */
export function openReader(path: string): Handle {
  const client = open(path, { readonly: true })
  client.run(`PRAGMA busy_timeout = ${busyMs}`)
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
