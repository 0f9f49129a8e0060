import { blob, index, sqliteTable } from "drizzle-orm/sqlite-core"
import { uuid } from "../../store/columns.ts"
import { emailTable } from "../emails/index.ts"

/** Messages as they left or arrived, RFC 5322 bytes; one may be what several recipients got. Only in the sandbox. */
export const rawMessageTable = sqliteTable("raw_message", {
  id: uuid("id").primaryKey(),
  bytes: blob("bytes", { mode: "buffer" }).notNull(),
})

export const capturedTable = sqliteTable(
  "captured",
  {
    emailId: uuid("email_id")
      .primaryKey()
      .references(() => emailTable.id, { onDelete: "cascade" }),
    rawId: uuid("raw_id")
      .notNull()
      .references(() => rawMessageTable.id),
  },
  (t) => [index("captured_raw").on(t.rawId)],
)
