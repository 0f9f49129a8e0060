import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, uniqueIndex } from "drizzle-orm/sqlite-core"
import type { JsonObject } from "../../kernel/json.ts"
import { choice, count, flag, json, string, timeMs, uuid } from "../../store/columns.ts"
import { projectTable } from "../projects/index.ts"

export const contactTable = sqliteTable(
  "contact",
  {
    /**
     * Increases with every contact and is never reused: the position of walks over all contacts and of the search
     * index.
     */
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    id: uuid("id").notNull().unique(),
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
    // It includes the address, so that a search in this order reads only the rows it returns.
    index("contact_created").on(t.projectId, t.subscribed, t.createdAt, t.id, t.email),
    index("contact_unsubscribed").on(t.projectId, t.email).where(sql`subscribed = 0`),
  ],
)

/**
 * How many contacts a project has. Triggers update the row with every change of a contact, whoever makes it; `moves`
 * and `flips` show whether an earlier count is still valid.
 */
export const contactCountTable = sqliteTable("contact_count", {
  projectId: uuid("project_id")
    .primaryKey()
    .references(() => projectTable.id, { onDelete: "cascade" }),
  subscribed: count("subscribed").notNull(),
  unsubscribed: count("unsubscribed").notNull(),
  /** Deletions and changes of address so far. */
  moves: count("moves").notNull().default(0),
  /** Changes of `subscribed` so far. */
  flips: count("flips").notNull().default(0),
})

/** One row: the `seq` up to which addresses are in the search index. */
export const searchMarkTable = sqliteTable("contact_search_mark", {
  id: integer("id").primaryKey(),
  seq: count("seq").notNull(),
})

export const fieldTypes = ["number", "boolean", "date", "string"] as const

/** The custom fields a project has seen. */
export const fieldTable = sqliteTable(
  "field",
  {
    projectId: uuid("project_id")
      .notNull()
      .references(() => projectTable.id, { onDelete: "cascade" }),
    key: string("key").notNull(),
    /**
     * Fixed by the first value (contract A2.3). Null while the field is being deleted: the next value then fixes it
     * again.
     */
    type: choice("type", fieldTypes),
    /** Contacts that have the key, updated in the unit that changes one. */
    contactCount: count("contact_count").notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.key] })],
)

/** The deletion of a field from the contacts that exist at the time of the request. */
export const fieldDropTable = sqliteTable("field_drop", {
  id: uuid("id").primaryKey(),
  projectId: uuid("project_id")
    .notNull()
    .references(() => projectTable.id, { onDelete: "cascade" }),
  /** A key of data, or the path to a value inside one. */
  path: json<string[]>("path").notNull(),
  /** The `seq` of the last contact to change, and of the last one done. */
  until: count("until_seq").notNull(),
  position: count("position_seq").notNull().default(0),
  /** Contacts changed so far. */
  changed: count("changed").notNull().default(0),
})

export type ContactRow = typeof contactTable.$inferSelect
export type Contact = Omit<ContactRow, "seq">
export type FieldType = (typeof fieldTypes)[number]
export type Field = typeof fieldTable.$inferSelect
export type FieldDrop = typeof fieldDropTable.$inferSelect
export type ContactCount = Omit<typeof contactCountTable.$inferSelect, "projectId">
