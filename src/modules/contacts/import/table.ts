import { sql } from "drizzle-orm"
import { index, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core"
import { choice, count, string, timeMs, uuid } from "../../../store/columns.ts"
import { projectTable } from "../../projects/index.ts"
import { jobStatuses } from "../job-status.ts"

export const importTable = sqliteTable(
  "import_job",
  {
    id: uuid("id").primaryKey(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projectTable.id, { onDelete: "cascade" }),
    status: choice("status", jobStatuses).notNull().default("queued"),
    /** 0 until the file has been looked through. */
    totalRows: count("total_rows").notNull().default(0),
    /** The sum of these three is how many rows are behind the job: each row is counted with what it changes. */
    imported: count("imported").notNull().default(0),
    updated: count("updated").notNull().default(0),
    skipped: count("skipped").notNull().default(0),
    failedReason: string("failed_reason"),
    /** Runs begun since the job last got on. */
    vainRuns: count("vain_runs").notNull().default(0),
    createdAt: timeMs("created_at").notNull(),
    finishedAt: timeMs("finished_at"),
  },
  (t) => [
    index("import_job_project").on(t.projectId),
    index("import_job_finished").on(t.finishedAt).where(sql`finished_at IS NOT NULL`),
  ],
)

/** Rows that were left out, the first of each file (contract A5.15.2). */
export const importErrorTable = sqliteTable(
  "import_error",
  {
    importId: uuid("import_id")
      .notNull()
      .references(() => importTable.id, { onDelete: "cascade" }),
    row: count("row").notNull(),
    email: string("email").notNull(),
    reason: choice("reason", ["invalid_email", "data_too_big"]).notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.row] })],
)

export type ImportJob = typeof importTable.$inferSelect
export type ImportError = Omit<typeof importErrorTable.$inferSelect, "importId">
