import type { Db } from "./database.ts"
import type { Scope, Writer } from "./writer.ts"

/** Reads over many rows, on threads of their own: the event loop turns meanwhile. */
export interface ReadPool {
  /**
   * Runs a SELECT that is built on this handle. It sees what is committed. Of a project one read runs at a time, and
   * projects take turns; the scope is a project id, or "instance".
   * @throws {SlowRead} when a query that asks `isInTime` takes longer than it may
   */
  read<Rows>(scope: Scope, query: (db: Db) => PromiseLike<Rows> | Rows): Promise<Rows>
  /** Ends what is running; it rejects. */
  close(): void
}

/** What a database engine gives the store. SQLite is the only one; `openStore` is the only place that names it. */
export interface StoreEngine {
  /** Sees what is committed, and cannot write. */
  readonly read: Db
  readonly readPool: ReadPool
  readonly write: Writer["write"]
  /** Rejects while nothing can be written: commits fail, or the database is not the one that was opened. */
  check(): Promise<void>
  /** Refuses new units, lets waiting ones finish, and leaves the data at rest. */
  close(): Promise<void>
}
