import { sql } from "drizzle-orm"
import { type AnySQLiteColumn, index, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core"
import type { JsonObject } from "../../kernel/json.ts"
import { choice, count, flag, json, string, timeMs, uuid } from "../../store/columns.ts"
import { contactTable } from "../contacts/index.ts"
import { projectTable } from "../projects/index.ts"
import { mailTypes, templateTable } from "../templates/index.ts"

export const emailStatuses = [
  "PENDING",
  "SENDING",
  "SENT",
  "DELIVERED",
  "OPENED",
  "CLICKED",
  "BOUNCED",
  "COMPLAINED",
  "FAILED",
  "CANCELLED",
  "RECEIVED",
] as const
export type EmailStatus = (typeof emailStatuses)[number]

export const sourceTypes = ["TRANSACTIONAL", "CAMPAIGN", "WORKFLOW", "INBOUND"] as const
export type SourceType = (typeof sourceTypes)[number]

export const addressings = ["TO", "CC", "BCC"] as const
export type Addressing = (typeof addressings)[number]

/** A file that a message carries: its bytes lie in the file store under their hash. */
export interface StoredAttachment {
  filename: string
  contentType: string
  size: number
  contentId: string | null
  disposition: "attachment" | "inline"
  hash: string
}

/** What many messages share, stored once under the hash of all its parts: a campaign does not store a body per recipient. */
export const contentTable = sqliteTable(
  "content",
  {
    projectId: uuid("project_id")
      .notNull()
      .references(() => projectTable.id, { onDelete: "cascade" }),
    hash: string("hash").notNull(),
    /** Template source, or literal text when `literal`. */
    subject: string("subject").notNull(),
    body: string("body").notNull(),
    literal: flag("literal").notNull(),
    headers: json<Record<string, string>>("headers").notNull(),
    attachments: json<StoredAttachment[]>("attachments").notNull(),
    createdAt: timeMs("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.hash] })],
)

/** The ledger: one row per message, written before anybody is told that the message is accepted. */
export const emailTable = sqliteTable(
  "email",
  {
    id: uuid("id").primaryKey(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projectTable.id, { onDelete: "cascade" }),
    contactId: uuid("contact_id").references(() => contactTable.id, { onDelete: "cascade" }),
    templateId: uuid("template_id").references(() => templateTable.id, { onDelete: "set null" }),
    campaignId: uuid("campaign_id"),
    workflowExecutionId: uuid("workflow_execution_id"),
    contentHash: string("content_hash"),
    /** What the content is rendered with: the variables it uses, as they were when the message was stored. */
    variables: json<JsonObject>("variables"),
    locale: string("locale").notNull(),
    to: string("to_address").notNull(),
    toName: string("to_name"),
    from: string("from_address").notNull(),
    fromName: string("from_name"),
    replyTo: string("reply_to"),
    subject: string("subject").notNull(),
    type: choice("type", mailTypes).notNull(),
    sourceType: choice("source_type", sourceTypes).notNull(),
    status: choice("status", emailStatuses).notNull(),
    messageId: string("message_id").notNull(),
    providerId: string("provider_id"),
    /** A lower lane goes first (rules.ts). */
    lane: count("lane").notNull(),
    attempt: count("attempt").notNull().default(0),
    /** A PENDING message is not tried before this. */
    dueAt: timeMs("due_at").notNull(),
    /** The node that hands over a SENDING message, and until when that may take. */
    leaseOwner: uuid("lease_owner"),
    leaseUntil: timeMs("lease_until"),
    /** When the hand-over of the last attempt began. Null: the other side cannot have the message. Of bulk mail only. */
    handOverAt: timeMs("hand_over_at"),
    error: string("error"),
    opens: count("opens").notNull().default(0),
    clicks: count("clicks").notNull().default(0),
    createdAt: timeMs("created_at").notNull(),
    updatedAt: timeMs("updated_at").notNull(),
    sentAt: timeMs("sent_at"),
    deliveredAt: timeMs("delivered_at"),
    openedAt: timeMs("opened_at"),
    clickedAt: timeMs("clicked_at"),
    bouncedAt: timeMs("bounced_at"),
    complainedAt: timeMs("complained_at"),
    /** When the recipient unsubscribed by a link of this message. */
    unsubscribedAt: timeMs("unsubscribed_at"),
    /** Of `opens` and `clicks` those that came so soon after the message left that a program must have made them. */
    scannerOpens: count("scanner_opens").notNull().default(0),
    scannerClicks: count("scanner_clicks").notNull().default(0),
    /** Of a message that came in for several recipients: the first of its records. Null for that one, and for all other mail. */
    leadId: uuid("lead_id").references((): AnySQLiteColumn => emailTable.id, { onDelete: "set null" }),
    /** Which header of a message that came in names the recipient; BCC when none does. Null for mail that Mailstead made. */
    addressedBy: choice("addressed_by", addressings),
  },
  (t) => [
    index("email_pending").on(t.lane, t.projectId, t.dueAt, t.id).where(sql`status = 'PENDING'`),
    index("email_sending").on(t.leaseUntil).where(sql`status = 'SENDING'`),
    index("email_recent").on(t.projectId, t.id),
    index("email_message").on(t.projectId, t.id).where(sql`lead_id IS NULL AND campaign_id IS NULL`),
    index("email_lead").on(t.leadId).where(sql`lead_id IS NOT NULL`),
    index("email_contact").on(t.contactId, t.id),
    index("email_campaign").on(t.campaignId, t.id).where(sql`campaign_id IS NOT NULL`),
    index("email_campaign_pending").on(t.campaignId, t.id).where(sql`status = 'PENDING' AND campaign_id IS NOT NULL`),
    index("email_template").on(t.templateId, t.id).where(sql`template_id IS NOT NULL`),
  ],
)

/** Where the tracked links of messages lead (contract A7.3): a click is only ever sent to one of these. */
export const linkTable = sqliteTable("link", {
  /** Of the project and the address, so that messages share their links. */
  hash: string("hash").primaryKey(),
  projectId: uuid("project_id")
    .notNull()
    .references(() => projectTable.id, { onDelete: "cascade" }),
  url: string("url").notNull(),
  createdAt: timeMs("created_at").notNull(),
})

export type Content = typeof contentTable.$inferSelect
export type Email = typeof emailTable.$inferSelect
