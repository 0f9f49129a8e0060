import { sqliteTable } from "drizzle-orm/sqlite-core"
import { choice, count, timeMs, uuid } from "../../store/columns.ts"
import { jobStatuses } from "./status.ts"

/** Columns that the table of every tracked job has, beside its `projectId`. */
export const trackedColumns = () => ({
  id: uuid("id").primaryKey(),
  status: choice("status", jobStatuses).notNull().default("queued"),
  /** Runs begun since the job last advanced. */
  vainRuns: count("vain_runs").notNull().default(0),
  createdAt: timeMs("created_at").notNull(),
  finishedAt: timeMs("finished_at"),
})

const model = sqliteTable("" as string, { ...trackedColumns(), projectId: uuid("project_id").notNull() })

/** Any table with these columns. */
export type TrackedTable = typeof model
export type TrackedJob = typeof model.$inferSelect
