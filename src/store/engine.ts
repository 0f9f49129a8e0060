import type { Db } from "./database.ts"
import type { Writer } from "./writer.ts"

/** Reads over many rows, on threads of their own: the event loop turns meanwhile. */
export interface ReadPool {
  /**
   * Runs a SELECT. It sees what is committed. Rows come as the database has them, under the names of their columns: no
   * decoding of flags, times and JSON.
   */
  read<Row>(query: ReadPoolQuery): Promise<Row[]>
  /** How many reads run at the same time: so many parts are worth cutting one into. */
  readonly width: number
  /** Ends what is running; it rejects. */
  close(): void
}

/** What every Drizzle query can tell of itself. */
export interface ReadPoolQuery {
  toSQL(): { sql: string; params: unknown[] }
}

/** What a database engine gives the store. SQLite is the only one; `openStore` is the only place that names it. */
export interface StoreEngine {
  /** Sees what is committed, and cannot write. */
  readonly read: Db
  readonly readPool: ReadPool
  readonly write: Writer["write"]
  /** Refuses new units, lets waiting ones finish, and leaves the data at rest. */
  close(): Promise<void>
}
