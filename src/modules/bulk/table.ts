import { sql } from "drizzle-orm"
import { index, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core"
import { trackedColumns } from "../../jobs/tracked/table.ts"
import { choice, count, json, uuid } from "../../store/columns.ts"
import type { ContactFilter } from "../contacts/index.ts"
import { projectTable } from "../projects/index.ts"

export const operations = ["subscribe", "unsubscribe", "delete"] as const
export type Operation = (typeof operations)[number]

/** Which contacts a bulk job changes. */
export type Selection =
  /** Each id once, in canonical form. */
  | { readonly mode: "ids"; readonly ids: readonly string[] }
  | {
      readonly mode: "query"
      readonly filter: ContactFilter
      readonly excludeIds: readonly string[]
      /** The `seq` of the last contact at the time of the request; absent in jobs of an earlier version. */
      readonly until?: number
    }

export const bulkTable = sqliteTable(
  "bulk_job",
  {
    ...trackedColumns(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projectTable.id, { onDelete: "cascade" }),
    operation: choice("operation", operations).notNull(),
    /** Of a query: counted when the job starts. */
    total: count("total").notNull().default(0),
    succeeded: count("succeeded").notNull().default(0),
    failed: count("failed").notNull().default(0),
    /** The progress of the job: the number of ids taken from the list, or the `seq` of the last contact read. */
    position: count("position").notNull().default(0),
  },
  (t) => [
    index("bulk_job_project").on(t.projectId),
    index("bulk_job_finished").on(t.finishedAt).where(sql`finished_at IS NOT NULL`),
  ],
)

/** Apart from the job, whose row is written with every slice; deleted when the job ends. */
export const bulkSelectionTable = sqliteTable("bulk_selection", {
  bulkId: uuid("bulk_id")
    .primaryKey()
    .references(() => bulkTable.id, { onDelete: "cascade" }),
  selection: json<Selection>("selection").notNull(),
})

export const bulkErrorTable = sqliteTable(
  "bulk_error",
  {
    bulkId: uuid("bulk_id")
      .notNull()
      .references(() => bulkTable.id, { onDelete: "cascade" }),
    contactId: uuid("contact_id").notNull(),
    reason: choice("reason", ["not_found"]).notNull(),
  },
  (t) => [primaryKey({ columns: [t.bulkId, t.contactId] })],
)

export type BulkJob = typeof bulkTable.$inferSelect
export type BulkError = Omit<typeof bulkErrorTable.$inferSelect, "bulkId">
