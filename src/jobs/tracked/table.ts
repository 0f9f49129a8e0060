import { sqliteTable } from "drizzle-orm/sqlite-core"
import { choice, count, timeMs, uuid } from "../../store/columns.ts"
import { jobStatuses } from "./status.ts"

/** Columns of every table of tracked jobs, in addition to `projectId`. */
export const trackedColumns = () => ({
  id: uuid("id").primaryKey(),
  status: choice("status", jobStatuses).notNull().default("queued"),
  /** The number of runs since the job last advanced. */
  idleRuns: count("vain_runs").notNull().default(0),
  createdAt: timeMs("created_at").notNull(),
  finishedAt: timeMs("finished_at"),
})

const model = sqliteTable("" as string, { ...trackedColumns(), projectId: uuid("project_id").notNull() })

/** Any table with these columns. */
export type TrackedTable = typeof model
export type TrackedJob = typeof model.$inferSelect
