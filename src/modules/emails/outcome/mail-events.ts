import { iso } from "../../../kernel/clock.ts"
import type { JsonObject } from "../../../kernel/json.ts"
import type { Unit } from "../../../store/writer.ts"
import type { RecordEvent } from "../../events/index.ts"
import { isTestEmail } from "../rules.ts"
import type { Email, EmailStatus } from "../table.ts"

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
  const sent = (unit: Unit, email: EventEmail, at = unit.now) => record(unit, email, "email.sent", { sentAt: iso(at) })
  return {
    record,
    sent,
    /** For a report that has raised the status of a message: one that counted as not sent was (contract B1.6.6, B9.3). */
    raised: async (
      unit: Unit,
      email: EventEmail & Pick<Email, "status" | "handOverAt" | "updatedAt">,
      status: EmailStatus,
    ) => {
      const isProof = (email.status === "FAILED" || email.status === "PENDING") && status !== email.status
      if (isProof) await sent(unit, email, email.handOverAt ?? email.updatedAt)
    },
    delivered: (unit: Unit, email: EventEmail) => record(unit, email, "email.delivery", { deliveredAt: iso(unit.now) }),
  }
}

export type MailEvents = ReturnType<typeof createMailEvents>
