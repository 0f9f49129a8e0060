import { isObject } from "../../../kernel/json.ts"
import { emailTag } from "../../../mail/transport.ts"
import type { Report } from "../../emails/index.ts"
import { type ProviderReport, textAt } from "../provider-report.ts"

/** Incoming mail, which is not a report. */
export const inbound = "Received"

/**
 * A report of SES, as it publishes events and as it sends notifications:
 * https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html and
 * https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html. Undefined for what names no message.
 */
export function sesEventIn(
  message: unknown,
  messageId: string,
): (ProviderReport & { kind: string | null }) | undefined {
  const providerId = textAt(message, "mail", "messageId")
  if (providerId === null) return undefined
  const kind = textAt(message, "eventType") ?? textAt(message, "notificationType")
  // Two topics may tell of the same bounce, each in a message of its own.
  const feedback = textAt(message, "bounce", "feedbackId") ?? textAt(message, "complaint", "feedbackId")
  return {
    kind,
    key: feedback === null ? `sns:${messageId}` : `ses:${feedback}`,
    mail: { providerId, emailId: tagIn(message), messageId: headerIn(message) },
    report: reportOf(kind, message),
  }
}

function reportOf(kind: string | null, message: unknown): Report | undefined {
  switch (kind) {
    case "Delivery":
      return { kind: "delivery" }
    case "Bounce": {
      const type = textAt(message, "bounce", "bounceType")
      return { kind: "bounce", bounceType: type === "Permanent" || type === "Transient" ? type : "Undetermined" }
    }
    case "Complaint":
      // Not a complaint about this mail: SES did not send it because of an earlier complaint.
      if (textAt(message, "complaint", "complaintSubType") === "OnAccountSuppressionList")
        return { kind: "bounce", bounceType: "Permanent" }
      // The recipient marked it as not spam, or withdrew an earlier complaint.
      return textAt(message, "complaint", "complaintFeedbackType") === "not-spam" ? undefined : { kind: "complaint" }
    case "Open":
      return { kind: "open" }
    case "Click":
      return { kind: "click", link: textAt(message, "click", "link") ?? "" }
    case "Subscription":
      return hasLeft(message) ? { kind: "unsubscribe" } : undefined
    default:
      return undefined
  }
}

/** Whether the recipient left by the unsubscribe page of SES: from everything, or from a topic of its contact list. */
function hasLeft(message: unknown): boolean {
  const chosen =
    isObject(message) && isObject(message.subscription) ? message.subscription.newTopicPreferences : undefined
  if (!isObject(chosen)) return false
  const topics = Array.isArray(chosen.topicSubscriptionStatus) ? chosen.topicSubscriptionStatus : []
  return chosen.unsubscribeAll === true || topics.some((topic) => textAt(topic, "subscriptionStatus") === "OptOut")
}

function tagIn(message: unknown): string | null {
  const tags = isObject(message) && isObject(message.mail) ? message.mail.tags : undefined
  const values = isObject(tags) && Object.hasOwn(tags, emailTag) ? tags[emailTag] : undefined
  const [value] = Array.isArray(values) ? values : [values]
  return typeof value === "string" ? value : null
}

/** The Message-ID that we gave to SES, which sends the message under its own one. */
function headerIn(message: unknown): string | null {
  const headers = isObject(message) && isObject(message.mail) ? message.mail.headers : undefined
  if (!Array.isArray(headers)) return null
  const header = headers.find((one) => textAt(one, "name")?.toLowerCase() === "message-id")
  return textAt(header, "value")?.trim().replace(/^<|>$/g, "") ?? null
}
