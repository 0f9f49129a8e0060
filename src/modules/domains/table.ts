import { index, sqliteTable, uniqueIndex } from "drizzle-orm/sqlite-core"
import type { DomainIdentity } from "../../mail/transport.ts"
import { choice, count, flag, json, string, timeMs, uuid } from "../../store/columns.ts"
import { projectTable } from "../projects/index.ts"

export const domainStatuses = ["PENDING", "VERIFIED", "FAILED"] as const
const keyAlgorithms = ["rsa", "ed25519"] as const
/** `next` waits for its DNS record, `active` signs, `old` was replaced and its record may be removed (contract B6.10). */
const keyStates = ["next", "active", "old"] as const

/** The result of the last answered check of each record, by the record's key (records.ts). */
export type RecordChecks = Readonly<Record<string, RecordCheck>>

interface RecordCheck {
  readonly status: DomainStatus
  /** The values published instead of the expected one. */
  readonly found: readonly string[]
}

/** The last answers of the providers about a domain, by the name of their transport. */
export type StoredIdentities = Readonly<Record<string, DomainIdentity & { readonly askedAt: number }>>

export const domainTable = sqliteTable(
  "domain",
  {
    id: uuid("id").primaryKey(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projectTable.id, { onDelete: "cascade" }),
    domain: string("domain").notNull().unique(),
    verified: flag("verified").notNull().default(false),
    /** Verified by the operator: no lookups are made for it (contract A8.1). */
    vouched: flag("vouched").notNull().default(false),
    status: choice("status", domainStatuses).notNull().default("PENDING"),
    checks: json<RecordChecks>("checks").notNull().default({}),
    identities: json<StoredIdentities>("identities").notNull().default({}),
    /** Consecutive checks that did not find a required record of a verified domain. */
    misses: count("misses").notNull().default(0),
    /** Since when its records are missing: the time of its registration, or of the last check that found them. */
    pendingSince: timeMs("pending_since").notNull().default(0),
    lastCheckedAt: timeMs("last_checked_at"),
    createdAt: timeMs("created_at").notNull(),
    updatedAt: timeMs("updated_at").notNull(),
  },
  (t) => [index("domain_project").on(t.projectId)],
)

/** DKIM keys of a domain (RFC 6376, RFC 8463). The private key is encrypted with the secret of the data folder. */
export const dkimKeyTable = sqliteTable(
  "dkim_key",
  {
    id: uuid("id").primaryKey(),
    domainId: uuid("domain_id")
      .notNull()
      .references(() => domainTable.id, { onDelete: "cascade" }),
    selector: string("selector").notNull(),
    algorithm: choice("algorithm", keyAlgorithms).notNull(),
    /** The value of `p=`. */
    publicKey: string("public_key").notNull(),
    privateSealed: string("private_sealed").notNull(),
    state: choice("state", keyStates).notNull().default("active"),
    createdAt: timeMs("created_at").notNull(),
  },
  (t) => [uniqueIndex("dkim_key_selector").on(t.domainId, t.selector)],
)

export type DomainStatus = (typeof domainStatuses)[number]
export type Domain = typeof domainTable.$inferSelect
export type DkimKey = typeof dkimKeyTable.$inferSelect
export type KeyAlgorithm = (typeof keyAlgorithms)[number]
