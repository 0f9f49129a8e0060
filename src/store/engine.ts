import type { Db } from "./database.ts"
import type { Scope, Unit, Writer } from "./writer.ts"

/** Runs reads over many rows on separate threads, so that they do not block the event loop. */
export interface ReadPool {
  /**
   * Runs a SELECT that is built on this handle. It sees committed data. One read of each project runs at a time, and
   * projects take turns; the scope is a project id, or "instance". Reads with different parts may run at the same time,
   * also of one project: for pieces of one question that take little time each.
   * @throws {SlowRead} when a query that asks `isInTime` takes longer than it may
   */
  read<Rows>(scope: Scope, query: (db: Db) => PromiseLike<Rows> | Rows, part?: number): Promise<Rows>
  /** Ends idle threads, each of which takes tens of megabytes. */
  releaseMemory(): void
  /** Running reads reject. Resolves when no thread has the file open, or after 2 seconds. */
  close(): Promise<void>
}

/** What the store requires of a database engine. SQLite is the only one; only `openStore` names it. */
export interface StoreEngine {
  /** Sees committed data, which may not be on disk yet; cannot write. */
  readonly read: Db
  readonly readPool: ReadPool
  readonly write: Writer["write"]
  readonly preferDelivery: Writer["preferDelivery"]
  readonly settled: Writer["settled"]
  /**
   * Changes with every commit: of this process at once, of another process by the next turn of the event loop. Takes
   * microseconds once per turn.
   */
  changes(): number
  /** The same for commits of other processes alone. */
  changesOfOthers(): number
  /** The size of the database in its file, and the part of it that no row uses, in bytes. */
  space(): Promise<{ readonly bytes: number; readonly unusedBytes: number }>
  /** The size of the write-ahead log in bytes; 0 when there is none. */
  logBytes(): number
  /** The first faults of a damaged file. Reads all of it, which takes seconds per gigabyte. */
  faults(): Promise<readonly string[]>
  /** Returns up to this many unused pages to the file system; resolves to the bytes freed. */
  cutPages(unit: Unit, pages: number): Promise<number>
  /** Releases memory that is only needed for work: page caches and threads. The next work allocates it again. */
  releaseMemory(): void
  /** Rejects while nothing can be written: commits fail, or the database is not the one that was opened. */
  check(): Promise<void>
  /** Refuses new units, finishes waiting ones, and closes the database. */
  close(): Promise<void>
}
