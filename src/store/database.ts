import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite"

/** What queries are written against: Drizzle's builders, awaited. Which engine is behind it only `store/` knows. */
export type Db = BunSQLiteDatabase<Record<string, never>>
