import { sqliteTable } from "drizzle-orm/sqlite-core"
import { string, timeMs } from "../../store/columns.ts"

/** The alerts in force: each was told once, and will be told once when it ends, also by another process. */
export const alertTable = sqliteTable("alert", {
  /** Names the condition, for example `disk`. */
  key: string("key").primaryKey(),
  sentence: string("sentence").notNull(),
  since: timeMs("since").notNull(),
})

export type Alert = typeof alertTable.$inferSelect
