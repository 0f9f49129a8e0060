import { index, sqliteTable, uniqueIndex } from "drizzle-orm/sqlite-core"
import { choice, count, string, timeMs, uuid } from "../../store/columns.ts"
import { projectTable } from "../projects/index.ts"

export const imageTypes = ["image/jpeg", "image/png", "image/gif", "image/webp"] as const
export type ImageType = (typeof imageTypes)[number]

/** Uploaded images. The bytes are in the file store under their hash, which projects may share. */
export const uploadTable = sqliteTable(
  "upload",
  {
    /** Also the name in the public address, which therefore never serves other bytes. */
    id: uuid("id").primaryKey(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projectTable.id, { onDelete: "cascade" }),
    hash: string("hash").notNull(),
    contentType: choice("content_type", imageTypes).notNull(),
    /** Bytes. */
    size: count("size").notNull(),
    createdAt: timeMs("created_at").notNull(),
  },
  // The second one reads the size of a project from the index alone.
  (t) => [uniqueIndex("upload_hash").on(t.projectId, t.hash), index("upload_size").on(t.projectId, t.size)],
)

export type Upload = typeof uploadTable.$inferSelect
