import { sqliteTable } from "drizzle-orm/sqlite-core"
import { string, timeMs } from "../../store/columns.ts"

/**
 * The alerts in force: each was sent when it began, and one more notice is sent when it ends, possibly by a later
 * process.
 */
export const alertTable = sqliteTable("alert", {
  /** Names the condition, for example `disk`. */
  key: string("key").primaryKey(),
  sentence: string("sentence").notNull(),
  since: timeMs("since").notNull(),
})

export type Alert = typeof alertTable.$inferSelect
