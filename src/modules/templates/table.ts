import { index, sqliteTable } from "drizzle-orm/sqlite-core"
import { choice, string, timeMs, uuid } from "../../store/columns.ts"
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
    body: string("body").notNull(),
    from: string("from_address").notNull(),
    fromName: string("from_name"),
    replyTo: string("reply_to"),
    type: choice("type", mailTypes).notNull(),
    createdAt: timeMs("created_at").notNull(),
    updatedAt: timeMs("updated_at").notNull(),
  },
  (t) => [index("template_created").on(t.projectId, t.createdAt, t.id)],
)

export type Template = typeof templateTable.$inferSelect
