import { index, sqliteTable } from "drizzle-orm/sqlite-core"
import { string, timeMs } from "../../store/columns.ts"

/** Reports that have had their effect, so that a repeated one has none (contract B9.1.4). */
export const reportTable = sqliteTable(
  "report",
  {
    /** The provider, and what it repeats a report under. */
    key: string("key").primaryKey(),
    receivedAt: timeMs("received_at").notNull(),
  },
  (t) => [index("report_received").on(t.receivedAt)],
)
