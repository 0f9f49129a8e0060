import { sql } from "drizzle-orm"
import { index, primaryKey, sqliteTable, uniqueIndex } from "drizzle-orm/sqlite-core"
import { choice, count, flag, string, timeMs, uuid } from "../../store/columns.ts"
import { projectTable } from "../projects/index.ts"

/** Highest first. The OWNER of a project is its creator and cannot be changed or removed (contract B8.4). */
export const roles = ["OWNER", "ADMIN", "MEMBER"] as const
const tokenPurposes = ["verify", "reset", "email", "setup"] as const

export const userTable = sqliteTable(
  "user",
  {
    id: uuid("id").primaryKey(),
    email: string("email").notNull().unique(),
    /** argon2id, with its parameters and salt. */
    passwordHash: string("password_hash").notNull(),
    /** The owner of the instance: the first account. */
    isOwner: flag("is_owner").notNull().default(false),
    verifiedAt: timeMs("verified_at"),
    /** The language of system mail to this user. */
    language: string("language").notNull().default("en"),
    createdAt: timeMs("created_at").notNull(),
    updatedAt: timeMs("updated_at").notNull(),
  },
  // Of two concurrent first sign-ups one is refused.
  (t) => [uniqueIndex("user_owner").on(t.isOwner).where(sql`is_owner = 1`)],
)

export const memberTable = sqliteTable(
  "member",
  {
    projectId: uuid("project_id")
      .notNull()
      .references(() => projectTable.id, { onDelete: "cascade" }),
    userId: uuid("user_id")
      .notNull()
      .references(() => userTable.id, { onDelete: "cascade" }),
    role: choice("role", roles).notNull(),
    createdAt: timeMs("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.userId] }), index("member_user").on(t.userId)],
)

/** The sessions of users. The cookie's token names its row, so deleting the row ends the session at once. */
export const sessionTable = sqliteTable(
  "session",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => userTable.id, { onDelete: "cascade" }),
    userAgent: string("user_agent").notNull(),
    address: string("address").notNull(),
    createdAt: timeMs("created_at").notNull(),
    expiresAt: timeMs("expires_at").notNull(),
    /** When the password was last given in this session. */
    confirmedAt: timeMs("confirmed_at").notNull(),
  },
  (t) => [index("session_user").on(t.userId, t.createdAt), index("session_expiry").on(t.expiresAt)],
)

/**
 * One-time tokens of links, found by their hash; the token in the link is derived from the id and the folder's secret.
 */
export const tokenTable = sqliteTable(
  "account_token",
  {
    id: uuid("id").primaryKey(),
    hash: string("hash").notNull().unique(),
    purpose: choice("purpose", tokenPurposes).notNull(),
    /** Null for the set-up link, which exists before the first account. */
    userId: uuid("user_id").references(() => userTable.id, { onDelete: "cascade" }),
    /** The address to confirm; for `email` the new address of the account. */
    email: string("email"),
    createdAt: timeMs("created_at").notNull(),
    expiresAt: timeMs("expires_at").notNull(),
  },
  (t) => [
    index("account_token_user").on(t.userId, t.purpose, t.createdAt),
    index("account_token_expiry").on(t.expiresAt),
  ],
)

/** Counters of attempts in time windows. Rows are deleted after their window, so their number is bounded. */
export const attemptTable = sqliteTable(
  "attempt",
  {
    /** The hash of the counted address or client. */
    key: string("key").primaryKey(),
    count: count("count").notNull(),
    startedAt: timeMs("started_at").notNull(),
    endsAt: timeMs("ends_at").notNull(),
  },
  (t) => [index("attempt_end").on(t.endsAt)],
)

export type Role = (typeof roles)[number]
export type User = typeof userTable.$inferSelect
export type Member = typeof memberTable.$inferSelect
export type Session = typeof sessionTable.$inferSelect
export type AccountToken = typeof tokenTable.$inferSelect
export type TokenPurpose = (typeof tokenPurposes)[number]
