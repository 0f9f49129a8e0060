import {
  type Icon,
  IconAlertTriangle,
  IconBolt,
  IconClock,
  IconEye,
  IconInbox,
  IconMail,
  IconMailCheck,
  IconPointer,
  IconRoute,
  IconSend,
  IconUserMinus,
  IconUserPlus,
} from "@tabler/icons-react"
import type { Activity } from "../../api/activity.ts"
import { formatValue } from "../data/kinds.ts"
import { formatReason } from "../subscription-reason.ts"

interface Kind {
  readonly label: string
  readonly icon: Icon
  readonly tone: "mail" | "own" | "good" | "bad" | "campaign"
}

const kinds: Readonly<Record<string, Kind>> = {
  "email.sent": { label: "Sent", icon: IconMail, tone: "mail" },
  "email.delivered": { label: "Delivered", icon: IconMailCheck, tone: "mail" },
  "email.opened": { label: "Opened", icon: IconEye, tone: "good" },
  "email.clicked": { label: "Clicked", icon: IconPointer, tone: "good" },
  "email.bounced": { label: "Bounced", icon: IconAlertTriangle, tone: "bad" },
  "email.complaint": { label: "Complaint", icon: IconAlertTriangle, tone: "bad" },
  "email.received": { label: "Received", icon: IconInbox, tone: "mail" },
  "event.triggered": { label: "Event", icon: IconBolt, tone: "own" },
  "contact.subscribed": { label: "Subscribed", icon: IconUserPlus, tone: "good" },
  "contact.unsubscribed": { label: "Unsubscribed", icon: IconUserMinus, tone: "bad" },
  "campaign.scheduled": { label: "Campaign scheduled", icon: IconClock, tone: "campaign" },
  "campaign.sent": { label: "Campaign started", icon: IconSend, tone: "campaign" },
  "workflow.started": { label: "Workflow started", icon: IconRoute, tone: "campaign" },
  "workflow.completed": { label: "Workflow ended", icon: IconRoute, tone: "campaign" },
  "workflow.email.scheduled": { label: "Mail of a workflow", icon: IconRoute, tone: "campaign" },
  "workflow.waiting": { label: "Workflow waits", icon: IconRoute, tone: "campaign" },
}

export const kindOf = (type: string): Kind => kinds[type] ?? { label: type, icon: IconBolt, tone: "own" }

/** How executions end that do not come to their end. */
const badEnds: Readonly<Record<string, Kind>> = {
  FAILED: { label: "Workflow failed", icon: IconAlertTriangle, tone: "bad" },
  CANCELLED: { label: "Workflow cancelled", icon: IconRoute, tone: "campaign" },
}

/** The kind of an item; an execution that has ended is told by its end. */
export const kindOfItem = ({ type, metadata }: Pick<Activity, "type" | "metadata">): Kind =>
  (type === "workflow.completed" ? badEnds[text(metadata.status)] : undefined) ?? kindOf(type)

const text = (value: unknown): string => (typeof value === "string" ? value : "")

/** What an item is about, in one line. */
export function describe({ type, metadata }: Activity): string {
  if (type.startsWith("email."))
    return [text(metadata.subject), text(metadata.campaignName)].filter((part) => part !== "").join(" · ")
  if (type.startsWith("campaign.")) return text(metadata.campaignName)
  if (type.startsWith("workflow."))
    return [text(metadata.workflowName), text(metadata.stepName)].filter((part) => part !== "").join(" · ")
  if (type === "event.triggered") {
    const data = Object.entries((metadata.eventData ?? {}) as object).slice(0, 4)
    return [text(metadata.eventName), ...data.map(([key, value]) => `${key} ${formatValue(value)}`)]
      .join(" · ")
      .slice(0, 200)
  }
  return formatReason(metadata.reason)
}

/** The page of the record of an item. */
export function recordPath({ type, contactId, metadata }: Activity): string {
  if (type.startsWith("email.")) return `/inbox/${text(metadata.emailId)}`
  if (type.startsWith("campaign.")) return `/campaigns/${text(metadata.campaignId)}`
  if (type.startsWith("workflow."))
    return `/workflows/${text(metadata.workflowId)}/executions/${text(metadata.executionId)}`
  if (type !== "event.triggered" && contactId) return `/contacts/${contactId}`
  return `/events?${new URLSearchParams({ name: text(metadata.eventName), ...(contactId && { contact: contactId }) })}`
}
