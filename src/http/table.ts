import { index, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core"
import { count, string, timeMs, uuid } from "../store/columns.ts"

/** Keys of finished requests, stored in the unit of their effects (contract A1.10). */
export const idempotencyTable = sqliteTable(
  "idempotency_key",
  {
    projectId: uuid("project_id").notNull(),
    key: string("key").notNull(),
    request: string("request").notNull(),
    statusCode: count("status_code").notNull(),
    createdAt: timeMs("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.key] }), index("idempotency_age").on(t.createdAt)],
)
