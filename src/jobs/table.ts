import { sql } from "drizzle-orm"
import { index, sqliteTable, uniqueIndex } from "drizzle-orm/sqlite-core"
import { choice, count, json, string, timeMs, uuid } from "../store/columns.ts"

const jobStates = ["pending", "running", "done", "failed", "cancelled"] as const

export const jobTable = sqliteTable(
  "job",
  {
    id: uuid("id").primaryKey(),
    kind: string("kind").notNull(),
    payload: json<unknown>("payload").notNull(),
    state: choice("state", jobStates).notNull().default("pending"),
    /** At most one pending or running job has a given key. */
    uniqueKey: string("unique_key"),
    runAt: timeMs("run_at").notNull(),
    /** When `runAt` was computed as a delay from then; null where it is a time chosen by a user. */
    plannedAt: timeMs("planned_at"),
    attempt: count("attempt").notNull().default(0),
    /** The node that runs it, and until when no other node may; null unless it is running. */
    leaseOwner: uuid("lease_owner"),
    leaseUntil: timeMs("lease_until"),
    error: string("error"),
    createdAt: timeMs("created_at").notNull(),
    finishedAt: timeMs("finished_at"),
  },
  (t) => [
    index("job_due").on(t.kind, t.runAt).where(sql`state = 'pending'`),
    index("job_leased").on(t.leaseUntil).where(sql`state = 'running'`),
    index("job_finished").on(t.finishedAt).where(sql`finished_at IS NOT NULL`),
    uniqueIndex("job_unique").on(t.uniqueKey).where(sql`state IN ('pending', 'running')`),
  ],
)

export const recurringTable = sqliteTable("recurring", {
  name: string("name").primaryKey(),
  /** The schedule it was planned by; after a change it is planned again. */
  schedule: string("schedule").notNull(),
  nextAt: timeMs("next_at").notNull(),
})
