import { index, sqliteTable } from "drizzle-orm/sqlite-core"
import { json, string, timeMs, uuid } from "../../store/columns.ts"

/** Security-relevant actions. Rows are only added, and deleted after a year. */
export const auditTable = sqliteTable(
  "audit",
  {
    id: uuid("id").primaryKey(),
    /** Null for actions on the instance or an account. No foreign key: the rows outlive the project. */
    projectId: uuid("project_id"),
    action: string("action").notNull(),
    /** The acting user; null for the command line, the server itself and requests without a session. */
    userId: uuid("user_id"),
    /**
     * The address of the user at that time, `command line`, `secret key`, `not signed in`, or `mailstead` for the server
     * itself.
     */
    actor: string("actor").notNull(),
    /** The peer's address, null on the command line. */
    address: string("address"),
    details: json<Readonly<Record<string, unknown>>>("details").notNull(),
    createdAt: timeMs("created_at").notNull(),
  },
  (t) => [index("audit_project").on(t.projectId, t.createdAt, t.id), index("audit_time").on(t.createdAt, t.id)],
)

export type AuditRow = typeof auditTable.$inferSelect
