import { sql } from "drizzle-orm"
import { index, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core"
import type { JsonObject } from "../../kernel/json.ts"
import { count, json, string, timeMs, uuid } from "../../store/columns.ts"
import { contactTable } from "../contacts/index.ts"
import { projectTable } from "../projects/index.ts"

/**
 * Events that are neither about a message nor a contact's subscription, in the same words in the index and in queries,
 * because a partial index is used only if the statement contains its condition.
 */
export const isPlainEvent = sql.raw(
  "substr(name, 1, 6) <> 'email.' AND name NOT IN ('contact.subscribed', 'contact.unsubscribed')",
)

export const eventTable = sqliteTable(
  "event",
  {
    id: uuid("id").notNull(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projectTable.id, { onDelete: "cascade" }),
    contactId: uuid("contact_id").references(() => contactTable.id, { onDelete: "cascade" }),
    emailId: uuid("email_id"),
    name: string("name").notNull(),
    /** Without members that follow from the row (stored-data.ts). */
    storedData: json<JsonObject>("data").notNull(),
    createdAt: timeMs("created_at").notNull(),
  },
  (t) => [
    // Ids increase with time, so this is also the order of the list: each further index costs a page write per event.
    primaryKey({ columns: [t.projectId, t.id] }),
    index("event_contact").on(t.contactId, t.name, t.createdAt),
    index("event_name").on(t.projectId, t.name, t.createdAt),
    index("event_plain").on(t.projectId, t.createdAt).where(isPlainEvent),
  ],
)

/**
 * How many events of each name a project has. Triggers update the row with every event, however it is stored or
 * deleted; a name without events has no row.
 */
export const eventTallyTable = sqliteTable(
  "event_tally",
  {
    projectId: uuid("project_id")
      .notNull()
      .references(() => projectTable.id, { onDelete: "cascade" }),
    name: string("name").notNull(),
    count: count("count").notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.name] })],
)

export type StoredEvent = typeof eventTable.$inferSelect
