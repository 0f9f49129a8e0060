import { integer, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core"
import { count, json, string, timeMs, uuid } from "../store/columns.ts"

/** The log. It contains only signals with a subscriber, for a short time, so it needs no index. */
export const signalTable = sqliteTable("signal", {
  seq: integer("seq").primaryKey({ autoIncrement: true }),
  name: string("name").notNull(),
  projectId: uuid("project_id").notNull(),
  payload: json<unknown>("payload").notNull(),
  createdAt: timeMs("created_at").notNull(),
})

export const cursorTable = sqliteTable("cursor", {
  subscriber: string("subscriber").primaryKey(),
  seq: count("seq").notNull(),
  /** Consecutive failures of the next signal, and when it is tried again. */
  failures: count("failures").notNull().default(0),
  retryAt: timeMs("retry_at").notNull().default(0),
})

export const parkedSignalTable = sqliteTable(
  "parked_signal",
  {
    subscriber: string("subscriber").notNull(),
    seq: count("seq").notNull(),
    name: string("name").notNull(),
    projectId: uuid("project_id").notNull(),
    payload: json<unknown>("payload").notNull(),
    error: string("error").notNull(),
    createdAt: timeMs("created_at").notNull(),
    parkedAt: timeMs("parked_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.subscriber, t.seq] })],
)
