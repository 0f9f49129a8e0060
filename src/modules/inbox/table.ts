import { primaryKey, sqliteTable } from "drizzle-orm/sqlite-core"
import { count, flag, string, uuid } from "../../store/columns.ts"
import { projectTable } from "../projects/index.ts"

const projectId = () =>
  uuid("project_id")
    .notNull()
    .references(() => projectTable.id, { onDelete: "cascade" })

/** The words of messages, for the list and its search: one row for all the messages that share a content. */
export const inboxTextTable = sqliteTable(
  "inbox_text",
  {
    projectId: projectId(),
    /** The hash of a content, or the id of the first record of a message that came in. */
    source: string("source").notNull(),
    /** Without markup, on one line; of a template with its tags. */
    text: string("text").notNull(),
    attachments: count("attachments").notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.source] })],
)

/** Up to which message the mail of a project counts as read. */
export const inboxStateTable = sqliteTable("inbox_state", {
  projectId: projectId().primaryKey(),
  readUpTo: uuid("read_up_to").notNull(),
})

/** What is read although it came after `readUpTo`, or unread although it came before. */
export const inboxMarkTable = sqliteTable(
  "inbox_mark",
  {
    projectId: projectId(),
    /** A message, or a campaign. */
    rowId: uuid("row_id").notNull(),
    read: flag("read").notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.rowId] })],
)
