import { index, sqliteTable } from "drizzle-orm/sqlite-core"
import { choice, count, flag, string, timeMs, uuid } from "../../store/columns.ts"

/** The backups that this server has taken, the newest of which are kept. */
export const backupTable = sqliteTable(
  "backup",
  {
    id: uuid("id").primaryKey(),
    /** The name of its file. */
    name: string("name").notNull(),
    /** `RUNNING` ends as `DONE`, with a file that was read back, or as `FAILED`, with a reason and no file. */
    state: choice("state", ["RUNNING", "DONE", "FAILED"]).notNull(),
    encrypted: flag("encrypted").notNull(),
    /** Whether the secret of the data folder is in it. */
    hasSecret: flag("has_secret").notNull(),
    /** Of the file; null until it is done. */
    bytes: count("bytes"),
    /** Why it failed or, when it is done, why the bucket has no copy. May be shown. */
    reason: string("reason"),
    startedAt: timeMs("started_at").notNull(),
    endedAt: timeMs("ended_at"),
  },
  (t) => [index("backup_time").on(t.startedAt, t.id)],
)

export type Backup = typeof backupTable.$inferSelect
