import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite"

/** The handle that queries are built on: Drizzle's builders, awaited. Only `store/` knows the engine behind it. */
export type Db = BunSQLiteDatabase<Record<string, never>>
