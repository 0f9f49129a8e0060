import { index, primaryKey, sqliteTable, uniqueIndex } from "drizzle-orm/sqlite-core"
import type { JsonObject } from "../../kernel/json.ts"
import { choice, count, flag, json, string, timeMs, uuid } from "../../store/columns.ts"
import { projectTable } from "../projects/index.ts"

export const contactTable = sqliteTable(
  "contact",
  {
    id: uuid("id").primaryKey(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projectTable.id, { onDelete: "cascade" }),
    email: string("email").notNull(),
    subscribed: flag("subscribed").notNull(),
    data: json<JsonObject>("data").notNull(),
    createdAt: timeMs("created_at").notNull(),
    updatedAt: timeMs("updated_at").notNull(),
  },
  (t) => [
    uniqueIndex("contact_email").on(t.projectId, t.email),
    index("contact_created").on(t.projectId, t.createdAt, t.id),
  ],
)

export const fieldTypes = ["number", "boolean", "date", "string"] as const

/** The custom fields a project has seen: the type is fixed by the first value (spec 2.2). */
export const fieldTable = sqliteTable(
  "field",
  {
    projectId: uuid("project_id")
      .notNull()
      .references(() => projectTable.id, { onDelete: "cascade" }),
    key: string("key").notNull(),
    type: choice("type", fieldTypes).notNull(),
    /** Contacts that have the key, moved in the unit that changes one. */
    contactCount: count("contact_count").notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.key] })],
)

export type Contact = typeof contactTable.$inferSelect
export type FieldType = (typeof fieldTypes)[number]
