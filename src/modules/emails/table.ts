import { sql } from "drizzle-orm"
import { type AnySQLiteColumn, index, integer, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core"
import type { JsonObject } from "../../kernel/json.ts"
import type { Disposition } from "../../mail/transport.ts"
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

/** An attachment; its bytes are in the file store under their hash. */
export interface StoredAttachment {
  filename: string
  contentType: string
  size: number
  contentId: string | null
  disposition: Disposition
  hash: string
}

/**
 * Content that messages share, stored once under the hash of all its parts, so that a campaign does not store a body
 * per recipient.
 */
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
    /** As the body; null: the text part is made from the HTML. */
    text: string("text"),
    /** When a message last began to use it, or up to an hour before. */
    usedAt: timeMs("used_at").notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.hash] }), index("content_used").on(t.usedAt)],
)

/** The ledger: one row per message, written before the message is acknowledged. */
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
    /** Null for a message that is stored as received; empty once retention has cleared the content (contract B10.1). */
    contentHash: string("content_hash"),
    /** The variables that the content uses, as of the time when the message was stored. */
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
    /** A PENDING message is not sent before this. */
    dueAt: timeMs("due_at").notNull(),
    /** The node that hands over a SENDING message, and until when. */
    leaseOwner: uuid("lease_owner"),
    leaseUntil: timeMs("lease_until"),
    /**
     * Bulk mail: when it was last claimed, and once its outcome is unknown, when its hand-over began. Other mail: when the last
     * hand-over of unknown outcome ended. Null: the other side cannot have it.
     */
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
    /** The part of `opens` and `clicks` so soon after sending that a program must have made them. */
    scannerOpens: count("scanner_opens").notNull().default(0),
    scannerClicks: count("scanner_clicks").notNull().default(0),
    /** For a received message with several recipients: its first record. Null for that one, and for all other mail. */
    leadId: uuid("lead_id").references((): AnySQLiteColumn => emailTable.id, { onDelete: "set null" }),
    /**
     * The header of a received message that names the recipient; BCC if none does. Null for mail composed by Mailstead.
     */
    addressedBy: choice("addressed_by", addressings),
  },
  (t) => [
    index("email_pending").on(t.lane, t.projectId, t.dueAt, t.id).where(sql`status = 'PENDING'`),
    index("email_held").on(t.leaseUntil).where(sql`lease_until IS NOT NULL`),
    index("email_recent").on(t.projectId, t.id),
    index("email_status").on(t.projectId, t.status, t.id),
    index("email_message").on(t.projectId, t.id).where(sql`lead_id IS NULL AND campaign_id IS NULL`),
    index("email_lead").on(t.leadId).where(sql`lead_id IS NOT NULL`),
    index("email_provider").on(t.providerId).where(sql`provider_id IS NOT NULL`),
    index("email_contact").on(t.contactId, t.id),
    index("email_campaign").on(t.campaignId, t.id).where(sql`campaign_id IS NOT NULL`),
    index("email_campaign_pending").on(t.campaignId, t.id).where(sql`status = 'PENDING' AND campaign_id IS NOT NULL`),
    index("email_execution").on(t.workflowExecutionId).where(sql`workflow_execution_id IS NOT NULL`),
    // The times that feeds and counts read: a message is in the index of a time once it has it.
    index("email_sent_at").on(t.projectId, t.sentAt).where(sql`sent_at IS NOT NULL`),
    index("email_delivered_at").on(t.projectId, t.deliveredAt).where(sql`delivered_at IS NOT NULL`),
    index("email_opened_at").on(t.projectId, t.openedAt).where(sql`opened_at IS NOT NULL`),
    index("email_clicked_at").on(t.projectId, t.clickedAt).where(sql`clicked_at IS NOT NULL`),
    index("email_bounced_at").on(t.projectId, t.bouncedAt).where(sql`bounced_at IS NOT NULL`),
    index("email_complained_at").on(t.projectId, t.complainedAt).where(sql`complained_at IS NOT NULL`),
    index("email_received_at").on(t.projectId, t.createdAt).where(sql`source_type = 'INBOUND'`),
    index("email_template").on(t.templateId, t.id).where(sql`template_id IS NOT NULL`),
    index("email_content").on(t.createdAt).where(sql`content_hash > ''`),
  ],
)

/**
 * How many messages of a project are in each status, by lane and source. Triggers update it with every message, so that
 * nobody has to count them. A count may be 0.
 */
export const emailCountTable = sqliteTable(
  "email_count",
  {
    projectId: uuid("project_id")
      .notNull()
      .references(() => projectTable.id, { onDelete: "cascade" }),
    lane: count("lane").notNull(),
    sourceType: choice("source_type", sourceTypes).notNull(),
    status: choice("status", emailStatuses).notNull(),
    count: count("count").notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.lane, t.sourceType, t.status] })],
)

/**
 * The recipients and subjects of consecutive messages of a project, for searches: a text block (store/text-block.ts) with
 * all messages after one id and up to another. A job makes them behind the writes. Triggers delete a block when one of its
 * messages changes or is deleted, or another comes between them; a `seq` is never reused.
 */
export const emailTextTable = sqliteTable(
  "email_text",
  {
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projectTable.id, { onDelete: "cascade" }),
    afterId: uuid("after_id").notNull(),
    lastId: uuid("last_id").notNull(),
    recipients: string("recipients").notNull(),
    subjects: string("subjects").notNull(),
    starts: json<readonly number[]>("starts").notNull(),
  },
  (t) => [index("email_text_range").on(t.projectId, t.lastId, t.afterId)],
)

/** The targets of tracked links (contract A7.3): clicks are redirected only to one of these. */
export const linkTable = sqliteTable(
  "link",
  {
    /** The hash of the project and the URL, so that messages share their links. */
    hash: string("hash").primaryKey(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projectTable.id, { onDelete: "cascade" }),
    url: string("url").notNull(),
    createdAt: timeMs("created_at").notNull(),
    /** When a message with it was last sent, or up to a week before. */
    usedAt: timeMs("used_at").notNull().default(0),
  },
  (t) => [index("link_used").on(t.usedAt)],
)

export type Content = typeof contentTable.$inferSelect
export type Email = typeof emailTable.$inferSelect
