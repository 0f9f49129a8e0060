import { sql } from "drizzle-orm"
import { index, sqliteTable } from "drizzle-orm/sqlite-core"
import type { JsonObject } from "../../kernel/json.ts"
import { choice, json, string, timeMs, uuid } from "../../store/columns.ts"
import { projectTable } from "../projects/index.ts"

export const mailTypes = ["TRANSACTIONAL", "MARKETING", "HEADLESS"] as const
export type MailType = (typeof mailTypes)[number]

export const templateTable = sqliteTable(
  "template",
  {
    id: uuid("id").primaryKey(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projectTable.id, { onDelete: "cascade" }),
    name: string("name").notNull(),
    description: string("description"),
    subject: string("subject").notNull(),
    from: string("from_address").notNull(),
    fromName: string("from_name"),
    replyTo: string("reply_to"),
    type: choice("type", mailTypes).notNull(),
    createdAt: timeMs("created_at").notNull(),
    updatedAt: timeMs("updated_at").notNull(),
    /** The text that is searched (rules.ts). */
    searchText: string("search_text").notNull().default(""),
    /** The last columns, so that a search need not read past long bodies. */
    body: string("body").notNull(),
    /** The template of the text part; null: it is made from the body. */
    text: string("text"),
  },
  (t) => [
    index("template_created").on(t.projectId, t.createdAt, t.id),
    index("template_updated").on(t.projectId, t.updatedAt, t.id),
    index("template_name").on(t.projectId, sql`lower(name)`, t.id),
  ],
)

/** What the preview of a template is filled with. */
export const sampleTable = sqliteTable("template_sample", {
  templateId: uuid("template_id")
    .primaryKey()
    .references(() => templateTable.id, { onDelete: "cascade" }),
  data: json<JsonObject>("data").notNull(),
})

type TemplateRow = typeof templateTable.$inferSelect
export type Template = Omit<TemplateRow, "searchText">
