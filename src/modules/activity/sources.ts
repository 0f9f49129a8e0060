import { type Column, gte, inArray, isNotNull, sql } from "drizzle-orm"
import { campaignTable } from "../campaigns/index.ts"
import { emailTable } from "../emails/index.ts"
import { eventTable, isPlainEvent } from "../events/index.ts"
import { executionTable } from "../workflows/index.ts"
import { type Counted, defineSource, type SourceRows } from "./source.ts"

const mail = (type: string, at: Column, is?: SourceRows["is"]) =>
  defineSource({
    type: `email.${type}`,
    record: "email",
    idOf: (id) => `${id}_${type}`,
    tallied: true,
    table: emailTable,
    columns: { ...emailTable, at },
    ...(is && { is }),
  })

const event = (type: string, rows: Pick<SourceRows, "is" | "isCovered">) =>
  defineSource({
    type,
    record: "event",
    tallied: true,
    table: eventTable,
    columns: { ...eventTable, at: eventTable.createdAt },
    ...rows,
  })

const named = (name: string) => event(name, { is: sql`${eventTable.name} = ${sql.raw(`'${name}'`)}` })

const campaign = (type: string, at: Column) =>
  defineSource({
    type: `campaign.${type}`,
    record: "campaign",
    idOf: (id) => `campaign_${id}_${type}`,
    tallied: false,
    table: campaignTable,
    columns: { id: campaignTable.id, projectId: campaignTable.projectId, at },
  })

const execution = (type: string, at: Column) =>
  defineSource({
    type: `workflow.${type}`,
    record: "execution",
    idOf: (id) => `${id}_${type}`,
    tallied: true,
    table: executionTable,
    columns: { ...executionTable, at },
  })

/**
 * Everything that the feed is merged from, in the order of contract B7.1.8. Another type is one more entry here, with
 * an index on its project and time, and a trigger that counts it in the tally unless its table is small.
 */
export const sources = [
  mail("sent", emailTable.sentAt),
  mail("delivered", emailTable.deliveredAt),
  mail("opened", emailTable.openedAt),
  mail("clicked", emailTable.clickedAt),
  mail("bounced", emailTable.bouncedAt),
  mail("complaint", emailTable.complainedAt),
  mail("received", emailTable.createdAt, sql`${emailTable.sourceType} = 'INBOUND'`),
  // The engine reads the name in each row, although the index has only such rows.
  event("event.triggered", { is: isPlainEvent, isCovered: false }),
  named("contact.subscribed"),
  named("contact.unsubscribed"),
  campaign("scheduled", campaignTable.scheduledAt),
  campaign("sent", campaignTable.sentAt),
  execution("started", executionTable.startedAt),
  execution("completed", executionTable.completedAt),
]

/** The names of events about mails (contract B4.4). */
const mailEvents = ["sent", "delivery", "open", "click", "bounce", "complaint", "received"].map(
  (name) => `email.${name}`,
)

const counted = (type: string, from: Pick<SourceRows, "table" | "columns" | "is" | "isCovered">): Counted =>
  defineSource({ type, record: "", tallied: true, ...from })

const mailCounted = (type: string, at: Column, is: SourceRows["is"]) =>
  counted(type, { table: emailTable, columns: { ...emailTable, at }, isCovered: false, ...(is && { is }) })

/** What the tally has beyond the feed. */
export const figures = {
  /** Stored events about mails. */
  mailEvents: counted("event.email", {
    table: eventTable,
    columns: { ...eventTable, at: eventTable.createdAt },
    is: inArray(eventTable.name, mailEvents),
  }),
  /** Mails by the time they were sent, that have been opened or clicked since. */
  sentOpened: mailCounted("sent.opened", emailTable.sentAt, isNotNull(emailTable.openedAt)),
  sentClicked: mailCounted("sent.clicked", emailTable.sentAt, isNotNull(emailTable.clickedAt)),
  /** Mails by the time of their first open, that were only opened by programs. */
  machineOpened: mailCounted("opened.machine", emailTable.openedAt, gte(emailTable.scannerOpens, emailTable.opens)),
}

/** All activity types, including those without any activity. */
export const activityTypes: readonly string[] = sources.map(({ type }) => type)
