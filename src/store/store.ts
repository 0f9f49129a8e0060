import type { Database } from "bun:sqlite"
import { chmodSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Clock } from "../kernel/clock.ts"
import { DomainError } from "../kernel/errors.ts"
import { type Log, reasonOf } from "../kernel/log.ts"
import { createCheckpoints } from "./checkpoints.ts"
import { type Db, type Handle, openReader, openWriter, unusable } from "./database.ts"
import { folderInUse, type Lock, lockFolder } from "./lock.ts"
import { migrate, pendingMigrations, refuseForeign } from "./migrate.ts"
import { openNode } from "./node.ts"
import { createReadPool, type ReadPool } from "./read-pool.ts"
import { createWriter, type Scope, type Unit } from "./writer.ts"

export interface Store {
  readonly folder: string
  /** Whose leases those of this process are. It is the same after a restart. */
  readonly node: string
  /**
   * Sees what is committed. Reading is another capability than writing: the connection behind it cannot write. Inside a
   * unit of work read through `unit.db`.
   */
  readonly read: Db
  /** For reads over many rows, off the event loop. */
  readonly readPool: ReadPool
  /**
   * The only way to change a row. Resolves when the change is on disk. The scope says whose rows the unit changes: an
   * engine that runs units side by side keeps those of one scope apart. SQLite has one writer and ignores it.
   */
  write<T>(scope: Scope, work: (unit: Unit) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface StoreOptions {
  folder: string
  clock: Clock
  log: Log
  /** Who asks, in words: told to a second process that wants the same folder. */
  holder: string
  /** `shared` is for short commands beside a running server: no lock, and no migration while the server holds it. */
  access?: "exclusive" | "shared"
}

/** Opens, locks and migrates the store of a data folder, creating it (0700, database 0600) when missing. */
export function openStore({ folder, clock, log, holder, access = "exclusive" }: StoreOptions): Store {
  createFolder(folder)
  const path = join(folder, "mailstead.db")
  const lock = access === "exclusive" ? lockFolder(folder, holder) : lockIfFree(folder, holder)
  try {
    const writer = openWriter(path, (client) => refuseForeign(client, path))
    let reader: Handle
    let node: string
    try {
      if (lock) migrate(writer.client, path, clock.now())
      else if (pendingMigrations(writer.client, path).length > 0)
        throw new Error("The running server is of another version than this command.")
      node = openNode(folder)
      reader = openReader(path)
    } catch (cause) {
      writer.client.close()
      throw cause
    }
    const checkpoints = createCheckpoints(path, writer.client, log)
    const units = createWriter(writer.client, writer.db, clock, log, checkpoints.committed)
    const readPool = createReadPool(path)
    return {
      folder,
      node,
      read: reader.db,
      readPool,
      write: units.write,
      async close() {
        readPool.close()
        await units.close()
        await checkpoints.close()
        reader.client.close()
        if (lock) settleLog(writer.client, log)
        writer.client.close()
        lock?.release()
      },
    }
  } catch (cause) {
    lock?.release()
    throw isSqlite(cause) ? unusable(path, cause) : cause
  }
}

/** Moves the write-ahead log into the database, so that the one file is the whole of a store at rest. */
function settleLog(client: Database, log: Log): void {
  try {
    client.run("PRAGMA wal_checkpoint(TRUNCATE)")
  } catch (cause) {
    log.warn("The write-ahead log stays beside the database", { reason: reasonOf(cause) })
  }
}

function createFolder(folder: string): void {
  try {
    const made = mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (made !== undefined) chmodSync(folder, 0o700)
  } catch (cause) {
    throw unusable(folder, cause)
  }
}

function lockIfFree(folder: string, holder: string): Lock | undefined {
  try {
    return lockFolder(folder, holder)
  } catch (cause) {
    if (cause instanceof DomainError && cause.code === folderInUse) return undefined
    throw cause
  }
}

const isSqlite = (cause: unknown): boolean =>
  String((cause as { code?: unknown } | null)?.code ?? "").startsWith("SQLITE_")
