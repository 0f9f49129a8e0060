import { and, asc, count, desc, eq, gt, gte, lt, sql, sum } from "drizzle-orm"
import { day } from "../../kernel/clock.ts"
import type { Db } from "../../store/database.ts"
import { campaignTable, campaignTallyTable } from "../campaigns/index.ts"
import type { Days } from "./days.ts"
import { domainDayTable, eventDayTable } from "./table.ts"

const total = (column: Parameters<typeof sum>[0], name: string) => sql<number>`coalesce(${sum(column)}, 0)`.as(name)

/** How many events of each name there are in a span. */
export const sumNames = (db: Db, projectId: string, { from, to }: Days) =>
  db
    .select({ name: eventDayTable.name, count: total(eventDayTable.count, "total") })
    .from(eventDayTable)
    .where(and(eq(eventDayTable.projectId, projectId), gte(eventDayTable.day, from), lt(eventDayTable.day, to)))
    .groupBy(eventDayTable.name)

/** The campaigns whose sending began in a span, with what the tally says of their mails. */
export const listSent = (db: Db, projectId: string, { from, to }: Days) =>
  db
    .select({
      id: campaignTable.id,
      name: campaignTable.name,
      subject: campaignTable.subject,
      sent: campaignTallyTable.sent,
      opened: campaignTallyTable.opened,
      clicked: campaignTallyTable.clicked,
    })
    .from(campaignTable)
    .innerJoin(campaignTallyTable, eq(campaignTallyTable.campaignId, campaignTable.id))
    .where(
      and(
        eq(campaignTable.projectId, projectId),
        gte(campaignTable.sentAt, from * day),
        lt(campaignTable.sentAt, to * day),
        gt(campaignTallyTable.sent, 0),
      ),
    )

/** The campaigns created in a span by status, with the sums of their mails. */
export const sumStatuses = (db: Db, projectId: string, { from, to }: Days) =>
  db
    .select({
      status: campaignTable.status,
      count: count().as("number"),
      sent: total(campaignTallyTable.sent, "sent"),
      opened: total(campaignTallyTable.opened, "opened"),
      clicked: total(campaignTallyTable.clicked, "clicked"),
    })
    .from(campaignTable)
    .innerJoin(campaignTallyTable, eq(campaignTallyTable.campaignId, campaignTable.id))
    .where(
      and(
        eq(campaignTable.projectId, projectId),
        gte(campaignTable.createdAt, from * day),
        lt(campaignTable.createdAt, to * day),
      ),
    )
    .groupBy(campaignTable.status)

/** The domains that most mails of a span were sent to. */
export const sumDomains = (db: Db, projectId: string, { from, to }: Days, limit: number) =>
  db
    .select({
      domain: domainDayTable.domain,
      sent: total(domainDayTable.sent, "sent"),
      delivered: total(domainDayTable.delivered, "delivered"),
      opened: total(domainDayTable.opened, "opened"),
      clicked: total(domainDayTable.clicked, "clicked"),
      bounced: total(domainDayTable.bounced, "bounced"),
      complained: total(domainDayTable.complained, "complained"),
    })
    .from(domainDayTable)
    .where(and(eq(domainDayTable.projectId, projectId), gte(domainDayTable.day, from), lt(domainDayTable.day, to)))
    .groupBy(domainDayTable.domain)
    .having(sql`sum(${domainDayTable.sent}) > 0`)
    .orderBy(desc(sql.identifier("sent")), asc(domainDayTable.domain))
    .limit(limit)
