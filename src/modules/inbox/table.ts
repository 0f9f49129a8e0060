import { primaryKey, sqliteTable } from "drizzle-orm/sqlite-core"
import { count, flag, string, uuid } from "../../store/columns.ts"
import { projectTable } from "../projects/index.ts"

const projectId = () =>
  uuid("project_id")
    .notNull()
    .references(() => projectTable.id, { onDelete: "cascade" })

/** The text of messages, for the list and its search: one row for all messages with the same content. */
export const inboxTextTable = sqliteTable(
  "inbox_text",
  {
    projectId: projectId(),
    /** The hash of a content, or the id of the first record of a received message. */
    source: uuid("source").notNull(),
    /** Plain text on one line; that of a template contains its tags. */
    text: string("text").notNull(),
    attachments: count("attachments").notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.source] })],
)

/** The message up to which the mail of a project counts as read. */
export const inboxStateTable = sqliteTable("inbox_state", {
  projectId: projectId().primaryKey(),
  readUpTo: uuid("read_up_to").notNull(),
})

/** Mail that is read although it is newer than `readUpTo`, or unread although it is older. */
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
