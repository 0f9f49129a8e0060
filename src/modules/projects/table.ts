import { sqliteTable } from "drizzle-orm/sqlite-core"
import { choice, flag, string, timeMs, uuid } from "../../store/columns.ts"

export const trackingModes = ["ENABLED", "MARKETING_ONLY", "DISABLED"] as const
const disabledReasons = ["EMAIL_REPUTATION", "MANUAL"] as const

export const projectTable = sqliteTable("project", {
  id: uuid("id").primaryKey(),
  name: string("name").notNull(),
  publicKey: string("public_key").notNull().unique(),
  /** SHA-256 of the secret key, by which requests find the project. */
  secretHash: string("secret_hash").notNull().unique(),
  /** The encrypted secret key, because its owner may view it. */
  secretSealed: string("secret_sealed").notNull(),
  disabled: flag("disabled").notNull().default(false),
  disabledReason: choice("disabled_reason", disabledReasons),
  tracking: choice("tracking", trackingModes).notNull().default("ENABLED"),
  language: string("language").notNull().default("en"),
  /** Whether the public key may subscribe a contact that is unsubscribed (contract A4.1.4). */
  publicResubscribe: flag("public_resubscribe").notNull().default(true),
  /** A line for the footer of marketing mail (contract A7.2.3). */
  postalAddress: string("postal_address"),
  /** When it was deleted. It is disabled and hidden until its data are deleted too, and then its row. */
  deletedAt: timeMs("deleted_at"),
  createdAt: timeMs("created_at").notNull(),
  updatedAt: timeMs("updated_at").notNull(),
})

export type Project = typeof projectTable.$inferSelect
