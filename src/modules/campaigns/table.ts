import { sql } from "drizzle-orm"
import { index, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core"
import type { ConditionJson } from "../../conditions/index.ts"
import { choice, count, json, string, timeMs, uuid } from "../../store/columns.ts"
import { projectTable } from "../projects/index.ts"
import { mailTypes } from "../templates/index.ts"

export const campaignStatuses = ["DRAFT", "SCHEDULED", "SENDING", "SENT", "CANCELLED"] as const
export const audienceTypes = ["ALL", "SEGMENT", "FILTERED"] as const
export const cancelReasons = ["user", "project_disabled", "sender_unverified"] as const

export const campaignTable = sqliteTable(
  "campaign",
  {
    id: uuid("id").primaryKey(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projectTable.id, { onDelete: "cascade" }),
    name: string("name").notNull(),
    description: string("description"),
    subject: string("subject").notNull(),
    from: string("from_address").notNull(),
    fromName: string("from_name"),
    replyTo: string("reply_to"),
    type: choice("type", mailTypes).notNull(),
    status: choice("status", campaignStatuses).notNull(),
    audienceType: choice("audience_type", audienceTypes).notNull(),
    /** As sent, without unknown keys. */
    audienceCondition: json<ConditionJson>("audience_condition"),
    /** Stays when the segment is deleted. */
    segmentId: uuid("segment_id"),
    scheduledFor: timeMs("scheduled_for"),
    /** When it was last scheduled. */
    scheduledAt: timeMs("scheduled_at"),
    totalRecipients: count("total_recipients").notNull().default(0),
    cancelReason: choice("cancel_reason", cancelReasons),
    /** When sending started. */
    sentAt: timeMs("sent_at"),
    createdAt: timeMs("created_at").notNull(),
    updatedAt: timeMs("updated_at").notNull(),
    /** The text that a search is matched against (`searchTextOf`). */
    searchText: string("search_text").notNull().default(""),
    /** The last columns, so that a search need not read past long bodies. */
    body: string("body").notNull(),
    /** The template of the text part; null: it is made from the body. */
    text: string("text"),
  },
  (t) => [
    index("campaign_project").on(t.projectId, t.id),
    index("campaign_status").on(t.status, t.scheduledFor),
    index("campaign_scheduled_at").on(t.projectId, t.scheduledAt).where(sql`scheduled_at IS NOT NULL`),
    index("campaign_sent_at").on(t.projectId, t.sentAt).where(sql`sent_at IS NOT NULL`),
  ],
)

/**
 * Counts of the mails of a campaign by outcome. Triggers on the ledger update the row with every change of a mail,
 * wherever it is made, so that the counts of a campaign of a million mails are one row.
 */
export const campaignTallyTable = sqliteTable("campaign_tally", {
  campaignId: uuid("campaign_id")
    .primaryKey()
    .references(() => campaignTable.id, { onDelete: "cascade" }),
  created: count("created").notNull().default(0),
  /** Mails that are PENDING or SENDING. */
  open: count("open").notNull().default(0),
  sent: count("sent").notNull().default(0),
  delivered: count("delivered").notNull().default(0),
  opened: count("opened").notNull().default(0),
  clicked: count("clicked").notNull().default(0),
  bounced: count("bounced").notNull().default(0),
  complained: count("complained").notNull().default(0),
  unsubscribed: count("unsubscribed").notNull().default(0),
  failed: count("failed").notNull().default(0),
  cancelled: count("cancelled").notNull().default(0),
})

/**
 * Opens and clicks of a campaign's mails, repeated ones too, in each of the first 48 hours since sending started; no row for
 * an hour without any. A trigger on the events counts them, as it does for the table below.
 */
export const campaignHourTable = sqliteTable(
  "campaign_hour",
  {
    campaignId: uuid("campaign_id")
      .notNull()
      .references(() => campaignTable.id, { onDelete: "cascade" }),
    /** From 0 to 47. */
    hour: count("hour").notNull(),
    opens: count("opens").notNull().default(0),
    clicks: count("clicks").notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.campaignId, t.hour] })],
)

/** How often a link of a campaign's mails was clicked. Links that differ per recipient cause many rows. */
export const campaignLinkTable = sqliteTable(
  "campaign_link",
  {
    campaignId: uuid("campaign_id")
      .notNull()
      .references(() => campaignTable.id, { onDelete: "cascade" }),
    url: string("url").notNull(),
    clicks: count("clicks").notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.campaignId, t.url] }), index("campaign_link_clicks").on(t.campaignId, t.clicks)],
)

/**
 * The walk over the audience of a SENDING campaign; deleted at its end. A table of its own, because the campaign's row has
 * a long body, which every step would write again.
 */
export const campaignWalkTable = sqliteTable("campaign_walk", {
  campaignId: uuid("campaign_id")
    .primaryKey()
    .references(() => campaignTable.id, { onDelete: "cascade" }),
  /** The `seq` of the last contact to be walked, and of the last one that is done. */
  until: count("until_seq").notNull(),
  position: count("position_seq").notNull().default(0),
})

export type Campaign = Omit<typeof campaignTable.$inferSelect, "searchText">
export type CampaignStatus = (typeof campaignStatuses)[number]
export type CancelReason = (typeof cancelReasons)[number]
export type CampaignWalk = typeof campaignWalkTable.$inferSelect
export type CampaignTally = Omit<typeof campaignTallyTable.$inferSelect, "campaignId">
