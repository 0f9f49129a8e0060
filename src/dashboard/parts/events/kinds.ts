import { type Icon, IconBolt, IconMail, IconUser, IconUsersGroup } from "@tabler/icons-react"
import type { RecordedEvent } from "../../api/events.ts"
import { formatValue } from "../data/kinds.ts"
import { formatReason } from "../subscription-reason.ts"

/** The kinds of events; `own` are tracked by clients, the others are recorded by the service (contract B4.3). */
type EventKind = "own" | "mail" | "contact" | "segment"

export const looks: Readonly<
  Record<EventKind, { readonly icon: Icon; readonly tone: "own" | "mail" | "good" | "campaign" }>
> = {
  own: { icon: IconBolt, tone: "own" },
  mail: { icon: IconMail, tone: "mail" },
  contact: { icon: IconUser, tone: "good" },
  segment: { icon: IconUsersGroup, tone: "campaign" },
}

export function kindOf(name: string): EventKind {
  if (name.startsWith("email.")) return "mail"
  if (name === "contact.subscribed" || name === "contact.unsubscribed") return "contact"
  return /^segment\..+\.(?:entry|exit)$/s.test(name) ? "segment" : "own"
}

const text = (value: unknown): string => (typeof value === "string" ? value : "")

/** The data of an event in one line, as far as it fits. */
export function formatData({ name, data }: RecordedEvent): string {
  switch (kindOf(name)) {
    case "mail":
      return [text(data.subject), text(data.link), text(data.bounceType)].filter((part) => part !== "").join(" · ")
    case "contact":
      return formatReason(data.reason)
    case "segment":
      return text(data.segmentName)
    case "own":
      return Object.entries(data)
        .slice(0, 6)
        .map(([key, value]) => `${key} ${formatValue(value)}`)
        .join(" · ")
        .slice(0, 200)
  }
}
