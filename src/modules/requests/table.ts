import { index, integer, sqliteTable } from "drizzle-orm/sqlite-core"
import { choice, count, string, timeMs, uuid } from "../../store/columns.ts"

/** The credentials of a request: a key, the session of a user, or none. */
export const credentials = ["secret", "public", "session", "none"] as const

/** The log of API requests: route, status and duration, without any content. */
export const requestTable = sqliteTable(
  "request",
  {
    /** In the order of arrival in the log. */
    id: integer("id").primaryKey({ autoIncrement: true }),
    /** Null for requests without a project, or whose credentials were refused. */
    projectId: uuid("project_id"),
    at: timeMs("at").notNull(),
    method: string("method").notNull(),
    /** The template, for example `/contacts/:id`. */
    route: string("route").notNull(),
    status: count("status").notNull(),
    /** Microseconds until the response began. */
    duration: count("duration").notNull(),
    key: choice("key", credentials).notNull(),
  },
  (t) => [index("request_project").on(t.projectId, t.id)],
)

export type RequestRow = typeof requestTable.$inferSelect
export type LoggedRequest = Omit<RequestRow, "id">
