import { index, sqliteTable } from "drizzle-orm/sqlite-core"
import { flag, string, timeMs, uuid } from "../../store/columns.ts"
import { projectTable } from "../projects/index.ts"

export const domainTable = sqliteTable(
  "domain",
  {
    id: uuid("id").primaryKey(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projectTable.id, { onDelete: "cascade" }),
    domain: string("domain").notNull().unique(),
    verified: flag("verified").notNull().default(false),
    /** Verified on the operator's word: no lookup is made for it (contract A8.1). */
    vouched: flag("vouched").notNull().default(false),
    createdAt: timeMs("created_at").notNull(),
    updatedAt: timeMs("updated_at").notNull(),
  },
  (t) => [index("domain_project").on(t.projectId)],
)

export type Domain = typeof domainTable.$inferSelect
