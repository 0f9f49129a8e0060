import { primaryKey, sqliteTable } from "drizzle-orm/sqlite-core"
import { count, string } from "../../store/columns.ts"

/** What was deleted, for each day in UTC; counted in the unit that deletes. */
export const freedTable = sqliteTable(
  "freed",
  {
    /** `YYYY-MM-DD`. */
    day: string("day").notNull(),
    /** The name of the sweep; `files` for the file store, `disk` for what was given back to it. */
    name: string("name").notNull(),
    rows: count("rows").notNull(),
    /** Only of files and disk. */
    bytes: count("bytes").notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.name] })],
)

export type Freed = typeof freedTable.$inferSelect
