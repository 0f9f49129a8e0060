import { sql } from "drizzle-orm"
import { index, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core"
import { trackedColumns } from "../../jobs/tracked/table.ts"
import { choice, count, string, uuid } from "../../store/columns.ts"
import { projectTable } from "../projects/index.ts"

export const importTable = sqliteTable(
  "import_job",
  {
    ...trackedColumns(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projectTable.id, { onDelete: "cascade" }),
    /** 0 until the file has been read once. */
    totalRows: count("total_rows").notNull().default(0),
    /** The sum of these three is the number of rows done; each row is counted in the unit of its change. */
    imported: count("imported").notNull().default(0),
    updated: count("updated").notNull().default(0),
    skipped: count("skipped").notNull().default(0),
    failedReason: string("failed_reason"),
  },
  (t) => [
    index("import_job_project").on(t.projectId),
    index("import_job_finished").on(t.finishedAt).where(sql`finished_at IS NOT NULL`),
  ],
)

/** Why a row was left out (contract A5.15.2). */
export const importReasons = ["invalid_email", "data_too_big", "too_many_fields"] as const
export type ImportReason = (typeof importReasons)[number]

/** Rejected rows, the first ones of each file (contract A5.15.2). */
export const importErrorTable = sqliteTable(
  "import_error",
  {
    importId: uuid("import_id")
      .notNull()
      .references(() => importTable.id, { onDelete: "cascade" }),
    row: count("row").notNull(),
    email: string("email").notNull(),
    reason: choice("reason", importReasons).notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.row] })],
)

export type ImportJob = typeof importTable.$inferSelect
export type ImportError = Omit<typeof importErrorTable.$inferSelect, "importId">
