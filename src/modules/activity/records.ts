import { and, eq, sql } from "drizzle-orm"
import type { JsonObject } from "../../kernel/json.ts"
import type { Db } from "../../store/database.ts"
import { idParam, isOneOf, isUnindexed } from "../../store/dialect.ts"
import { prepare } from "../../store/prepare.ts"
import { type Campaign, campaignTable } from "../campaigns/index.ts"
import { contactTable } from "../contacts/index.ts"
import { type Email, emailTable } from "../emails/index.ts"
import { dataOf, eventTable } from "../events/index.ts"
import { segmentTable } from "../segments/index.ts"
import { type Execution, executionTable, workflowTable } from "../workflows/index.ts"

/** What an item shows of its record, the same for all types of it. */
export interface Shown {
  readonly contactId: string | null
  readonly contactEmail: string | null
  readonly metadata: JsonObject
}

/** The records of a project by their ids; those that are deleted are missing. */
type ReadRecords = (db: Db, projectId: string, ids: readonly string[]) => Promise<Map<string, Shown>>

const ids = sql.placeholder("ids")
const project = idParam("projectId")

const mails = prepare((db) =>
  db
    .select({
      email: {
        id: emailTable.id,
        contactId: emailTable.contactId,
        subject: emailTable.subject,
        from: emailTable.from,
        fromName: emailTable.fromName,
        to: emailTable.to,
        toName: emailTable.toName,
        replyTo: emailTable.replyTo,
        sourceType: emailTable.sourceType,
        campaignId: emailTable.campaignId,
        opens: emailTable.opens,
        clicks: emailTable.clicks,
        error: emailTable.error,
      },
      contactEmail: contactTable.email,
      campaignName: campaignTable.name,
      workflowId: executionTable.workflowId,
      workflowName: workflowTable.name,
    })
    .from(emailTable)
    .leftJoin(contactTable, eq(contactTable.id, emailTable.contactId))
    .leftJoin(campaignTable, eq(campaignTable.id, emailTable.campaignId))
    .leftJoin(executionTable, eq(executionTable.id, emailTable.workflowExecutionId))
    .leftJoin(workflowTable, eq(workflowTable.id, executionTable.workflowId))
    .where(and(isUnindexed(emailTable.projectId, project), isOneOf(emailTable.id, ids))),
)

type ShownMail = Pick<Email, "id" | "subject" | "from" | "fromName" | "to" | "toName" | "replyTo"> &
  Pick<Email, "sourceType" | "campaignId" | "opens" | "clicks" | "error">

/** What a mail was sent for. */
interface MailSource {
  readonly campaignName: string | null
  readonly workflowId: string | null
  readonly workflowName: string | null
}

/** Contract B7.1.1. */
const mailMetadata = ({ id, opens, clicks, ...email }: ShownMail, source: MailSource): JsonObject => ({
  emailId: id,
  subject: email.subject,
  from: email.from,
  fromName: email.fromName,
  to: email.to,
  toName: email.toName,
  replyTo: email.replyTo,
  sourceType: email.sourceType,
  campaignId: email.campaignId,
  ...source,
  totalOpens: opens,
  totalClicks: clicks,
  error: email.error,
})

const events = prepare((db) =>
  db
    .select({
      id: eventTable.id,
      name: eventTable.name,
      emailId: eventTable.emailId,
      storedData: eventTable.storedData,
      createdAt: eventTable.createdAt,
      contactId: eventTable.contactId,
      contactEmail: contactTable.email,
    })
    .from(eventTable)
    .leftJoin(contactTable, eq(contactTable.id, eventTable.contactId))
    .where(and(eq(eventTable.projectId, project), isOneOf(eventTable.id, ids))),
)

/** The data of an event about a subscription (contract B7.1.3), the name and data of any other (contract B7.1.2). */
function eventMetadata(event: Parameters<typeof dataOf>[0]): JsonObject {
  const { name } = event
  const data = dataOf(event)
  return name === "contact.subscribed" || name === "contact.unsubscribed" ? data : { eventName: name, eventData: data }
}

const shownCampaign = {
  id: campaignTable.id,
  name: campaignTable.name,
  subject: campaignTable.subject,
  totalRecipients: campaignTable.totalRecipients,
  audienceType: campaignTable.audienceType,
  scheduledFor: campaignTable.scheduledFor,
  segmentName: segmentTable.name,
}

/** The campaigns of a query, without their long bodies, and the names of their segments. */
export const campaignsIn = (db: Db) =>
  db.select(shownCampaign).from(campaignTable).leftJoin(segmentTable, eq(segmentTable.id, campaignTable.segmentId))

const campaigns = prepare((db) =>
  campaignsIn(db).where(and(eq(campaignTable.projectId, project), isOneOf(campaignTable.id, ids))),
)

type ShownCampaign = Pick<Campaign, "id" | "name" | "subject" | "totalRecipients" | "audienceType"> & {
  readonly segmentName: string | null
}

/** Contract B7.1.4. */
export const campaignMetadata = (campaign: ShownCampaign): JsonObject => ({
  campaignId: campaign.id,
  campaignName: campaign.name,
  subject: campaign.subject,
  totalRecipients: campaign.totalRecipients,
  segmentName: campaign.segmentName,
  audienceType: campaign.audienceType,
})

export const shownExecution = {
  id: executionTable.id,
  workflowId: executionTable.workflowId,
  contactId: executionTable.contactId,
  status: executionTable.status,
  exitReason: executionTable.exitReason,
}

const executions = prepare((db) =>
  db
    .select({ execution: shownExecution, contactEmail: contactTable.email, workflowName: workflowTable.name })
    .from(executionTable)
    .innerJoin(contactTable, eq(contactTable.id, executionTable.contactId))
    .leftJoin(workflowTable, eq(workflowTable.id, executionTable.workflowId))
    .where(and(isUnindexed(executionTable.projectId, project), isOneOf(executionTable.id, ids))),
)

type ShownExecution = Pick<Execution, "id" | "workflowId" | "status" | "exitReason">

/** Contract B7.1.5. The name is null while the executions of a deleted workflow are being deleted. */
export const executionMetadata = (execution: ShownExecution, workflowName: string | null): JsonObject => ({
  workflowId: execution.workflowId,
  workflowName,
  executionId: execution.id,
  status: execution.status,
  exitReason: execution.exitReason,
})

/** How the records of each kind are read. */
export const records: Readonly<Record<string, ReadRecords>> = {
  async email(db, projectId, wanted) {
    const rows = await mails(db, { projectId, ids: JSON.stringify(wanted) })
    return new Map(
      rows.map(({ email, contactEmail, ...source }) => [
        email.id,
        { contactId: email.contactId, contactEmail, metadata: mailMetadata(email, source) },
      ]),
    )
  },
  async event(db, projectId, wanted) {
    const rows = await events(db, { projectId, ids: JSON.stringify(wanted) })
    return new Map(
      rows.map(({ id, contactId, contactEmail, ...event }) => [
        id,
        { contactId, contactEmail, metadata: eventMetadata(event) },
      ]),
    )
  },
  async campaign(db, projectId, wanted) {
    const rows = await campaigns(db, { projectId, ids: JSON.stringify(wanted) })
    return new Map(
      rows.map((row) => [row.id, { contactId: null, contactEmail: null, metadata: campaignMetadata(row) }]),
    )
  },
  async execution(db, projectId, wanted) {
    const rows = await executions(db, { projectId, ids: JSON.stringify(wanted) })
    return new Map(
      rows.map(({ execution, contactEmail, workflowName }) => [
        execution.id,
        { contactId: execution.contactId, contactEmail, metadata: executionMetadata(execution, workflowName) },
      ]),
    )
  },
}
