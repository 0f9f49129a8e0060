import { domainOf } from "../../../kernel/email-address.ts"
import { unleased } from "../../../store/lease.ts"
import { type EmailSource, laneOf, sourceTypeOf } from "../rules.ts"
import type { Email } from "../table.ts"

/** The fields that differ between messages. Optional ones default to those of a message that waits for delivery. */
type EmailFields = Pick<
  Email,
  | "id"
  | "projectId"
  | "contactId"
  | "contentHash"
  | "variables"
  | "locale"
  | "to"
  | "from"
  | "fromName"
  | "replyTo"
  | "subject"
  | "type"
> &
  Partial<
    Pick<
      Email,
      "templateId" | "leadId" | "addressedBy" | "toName" | "messageId" | "status" | "sentAt" | "deliveredAt" | "error"
    >
  >

/**
 * Creates the row of a new message; the only function that does. The source determines its `sourceType` (contract
 * A4.5.3) and its lane.
 */
export const newEmail = (source: EmailSource, fields: EmailFields, now: number): Email => ({
  templateId: null,
  leadId: null,
  addressedBy: null,
  toName: null,
  messageId: `${fields.id}@${domainOf(fields.from)}`,
  status: "PENDING",
  sentAt: null,
  deliveredAt: null,
  error: null,
  ...fields,
  campaignId: source.kind === "campaign" ? source.id : null,
  workflowExecutionId: source.kind === "workflow" ? source.id : null,
  sourceType: sourceTypeOf(source, fields.type),
  lane: laneOf(source, fields.type),
  providerId: null,
  attempt: 0,
  dueAt: now,
  ...unleased,
  handOverAt: null,
  opens: 0,
  clicks: 0,
  scannerOpens: 0,
  scannerClicks: 0,
  createdAt: now,
  updatedAt: now,
  openedAt: null,
  clickedAt: null,
  bouncedAt: null,
  complainedAt: null,
  unsubscribedAt: null,
})
