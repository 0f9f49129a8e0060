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
  /** Ends the threads that have no work: each takes tens of megabytes. */
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
   * Differs from earlier results once anything was committed, by this process, or by another before this turn of the event
   * loop; costs microseconds once a turn.
   */
  changes(): number
  /** The same for commits of other processes alone. */
  changesOfOthers(): number
  /** The size of the database in its file, and the part of it that no row uses, in bytes. */
  space(): Promise<{ readonly bytes: number; readonly unusedBytes: number }>
  /** The size of the write-ahead log in bytes; 0 when there is none. */
  logBytes(): number
  /** What is damaged in the file, the first faults; reads all of it, which takes seconds per gigabyte. */
  faults(): Promise<readonly string[]>
  /** Gives up to so many unused pages back to the disk; resolves to the bytes, 0 when there are none. */
  cutPages(unit: Unit, pages: number): Promise<number>
  /** Gives memory back that only work needs: page caches and threads. The next work takes it again. */
  releaseMemory(): void
  /** Rejects while nothing can be written: commits fail, or the database is not the one that was opened. */
  check(): Promise<void>
  /** Refuses new units, finishes waiting ones, and closes the database. */
  close(): Promise<void>
}
