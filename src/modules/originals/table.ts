import { blob, integer, sqliteTable } from "drizzle-orm/sqlite-core"
import { count, uuid } from "../../store/columns.ts"
import { emailTable } from "../emails/index.ts"

/** Messages as sent or received, RFC 5322 bytes; one row may serve several recipients. */
export const rawMessageTable = sqliteTable("raw_message", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  bytes: blob("bytes", { mode: "buffer" }).notNull(),
})

export const capturedTable = sqliteTable("captured", {
  emailId: uuid("email_id")
    .primaryKey()
    .references(() => emailTable.id, { onDelete: "cascade" }),
  /** No foreign key: its index would cost a page write per message. */
  rawId: count("raw_id").notNull(),
})
