import { iso } from "../../kernel/clock.ts"
import type { JsonObject } from "../../kernel/json.ts"
import type { Unit } from "../../store/writer.ts"
import type { RecordEvent } from "../events/index.ts"
import { isTestEmail } from "./rules.ts"
import type { Email } from "./table.ts"

type EventEmail = Pick<
  Email,
  | "id"
  | "projectId"
  | "contactId"
  | "contentHash"
  | "subject"
  | "from"
  | "fromName"
  | "messageId"
  | "templateId"
  | "campaignId"
  | "sourceType"
>

/** The data that every event about a message has (contract B4.4). */
const eventBase = (email: EventEmail): JsonObject => ({
  subject: email.subject,
  from: email.from,
  fromName: email.fromName,
  messageId: email.messageId,
  emailId: email.id,
  templateId: email.templateId,
  campaignId: email.campaignId,
  sourceType: email.sourceType,
})

/** Stores the events of a message in the unit of their cause (contract B4.4). */
export function createMailEvents(recordEvent: RecordEvent) {
  async function record(unit: Unit, email: EventEmail, name: string, data: JsonObject): Promise<void> {
    if (isTestEmail(email)) return
    const { id: emailId, projectId, contactId } = email
    await recordEvent(unit, { projectId, contactId, emailId, name, data: { ...eventBase(email), ...data } })
  }
  return {
    record,
    sent: (unit: Unit, email: EventEmail) => record(unit, email, "email.sent", { sentAt: iso(unit.now) }),
    delivered: (unit: Unit, email: EventEmail) => record(unit, email, "email.delivery", { deliveredAt: iso(unit.now) }),
  }
}

export type MailEvents = ReturnType<typeof createMailEvents>
