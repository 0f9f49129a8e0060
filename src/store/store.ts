import { chmodSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Mode } from "../config.ts"
import type { Clock } from "../kernel/clock.ts"
import { DomainError } from "../kernel/errors.ts"
import type { Log } from "../kernel/log.ts"
import { createMetrics, type Metrics } from "../kernel/metrics.ts"
import type { Db } from "./database.ts"
import { databaseName, requireKept } from "./database-file.ts"
import type { ReadPool, StoreEngine } from "./engine.ts"
import { folderInUse, type Lock, lockFolder } from "./lock.ts"
import { keepMode, requireMode } from "./mode.ts"
import { openNode } from "./node.ts"
import { openSqlite } from "./sqlite/engine.ts"
import type { SyncFile } from "./sqlite/log-sync.ts"
import type { ReadThreads } from "./sqlite/read-pool.ts"
import { unusable } from "./unusable.ts"
import type { Scope, Unit, WriteLane } from "./writer.ts"

export interface Store {
  readonly folder: string
  /** The owner of the leases of this process; the same after a restart. */
  readonly node: string
  /**
   * Sees committed data, also what is not on disk yet: see `settled`. The connection behind it cannot write. Inside a unit
   * of work, read through `unit.db`.
   */
  readonly read: Db
  /** For reads over many rows, off the event loop. */
  readonly readPool: ReadPool
  /**
   * The only way to change a row. Resolves when the change is on disk. The scope says whose rows the unit changes: an
   * engine that runs units concurrently serializes those of one scope. SQLite has one writer and ignores it. The lane is
   * `requests` by default.
   */
  write<T>(scope: Scope, work: (unit: Unit) => Promise<T>, lane?: WriteLane): Promise<T>
  readonly preferDelivery: StoreEngine["preferDelivery"]
  /**
   * Resolves when everything that a read can see now is on disk, or when storing it has failed; undefined when it is. To
   * be awaited before anything gets outside that follows from a read and not from a unit.
   */
  readonly settled: StoreEngine["settled"]
  readonly changes: StoreEngine["changes"]
  readonly changesOfOthers: StoreEngine["changesOfOthers"]
  readonly space: StoreEngine["space"]
  readonly logBytes: StoreEngine["logBytes"]
  readonly faults: StoreEngine["faults"]
  readonly cutPages: StoreEngine["cutPages"]
  readonly releaseMemory: StoreEngine["releaseMemory"]
  /** Rejects while nothing can be written: commits fail, or the database is not the one that was opened. */
  check(): Promise<void>
  close(): Promise<void>
}

export interface StoreOptions {
  folder: string
  clock: Clock
  /** For durations; `clock` when absent. */
  realClock?: Clock
  log: Log
  /** A description of this process, shown to a second process that wants the same folder. */
  holder: string
  /**
   * `shared` is for short commands beside a running server: no lock, and no migration while the server holds it.
   * `inspect` neither locks nor migrates: a folder of another version is refused.
   */
  access?: "exclusive" | "shared" | "inspect"
  /** A folder of the other mode is refused before anything is written; a new one belongs to this mode from then on. */
  mode?: Mode
  /** The time limit of a read on the pool; 10 seconds by default. */
  readLimitMs?: number
  /** Replaces the sync of the database's log in tests. */
  syncFile?: SyncFile | undefined
  /** Replaces the threads of the read pool in tests. */
  readThreads?: ReadThreads | undefined
  metrics?: Metrics
}

/** Opens, locks and migrates the store of a data folder, creating it (0700, database 0600) when missing. */
export function openStore(options: StoreOptions): Store {
  const {
    folder,
    clock,
    realClock = clock,
    log,
    holder,
    access = "exclusive",
    mode = "serve",
    readLimitMs = 10_000,
    syncFile,
    readThreads,
    metrics = createMetrics(),
  } = options
  requireKept(folder)
  requireMode(folder, mode)
  createFolder(folder)
  const lock = lockFor(access, folder, holder)
  try {
    if (lock) keepMode(folder, mode)
    const path = join(folder, databaseName)
    const isExclusive = lock !== undefined
    const engine = openSqlite({
      path,
      clock,
      realClock,
      log,
      isExclusive,
      readLimitMs,
      metrics,
      syncFile,
      readThreads,
    })
    return {
      ...engine,
      folder,
      node: nodeOf(folder, engine),
      async close() {
        await engine.close()
        lock?.release()
      },
    }
  } catch (cause) {
    lock?.release()
    throw cause
  }
}

function nodeOf(folder: string, engine: StoreEngine): string {
  try {
    return openNode(folder)
  } catch (cause) {
    void engine.close()
    throw cause
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

function lockFor(access: NonNullable<StoreOptions["access"]>, folder: string, holder: string): Lock | undefined {
  switch (access) {
    case "exclusive":
      return lockFolder(folder, holder)
    case "shared":
      return lockIfFree(folder, holder)
    case "inspect":
      return undefined
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
