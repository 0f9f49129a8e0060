import { count } from "../../ui/format.ts"
import type { Campaign, CampaignStatus } from "./api.ts"

export const statusNames: Readonly<Record<CampaignStatus, string>> = {
  DRAFT: "Draft",
  SCHEDULED: "Scheduled",
  SENDING: "Sending",
  SENT: "Sent",
  CANCELLED: "Cancelled",
}

/** Whom a campaign is for, in a few words. */
export function sayAudience({ audienceType, segment, segmentId }: Campaign): string {
  if (audienceType === "ALL") return "All contacts"
  if (audienceType === "FILTERED") return "Contacts that match conditions"
  return segment?.name ?? (segmentId ? "A segment that is gone" : "A segment")
}

/** Those who get it: news go to subscribers only (B1.5.1). */
export const sayRecipients = ({ totalRecipients, type }: Pick<Campaign, "totalRecipients" | "type">): string =>
  count(totalRecipients, type === "TRANSACTIONAL" ? "contact" : "subscribed contact")

export const cancelReasons: Readonly<Record<NonNullable<Campaign["cancelReason"]>, string>> = {
  user: "Somebody cancelled it.",
  project_disabled: "The project was disabled.",
  sender_unverified: "When its time came, the domain of the sender was not verified.",
}

/** 0 to 1; 0 of nothing. */
export const shareOf = (part: number, whole: number): number => (whole > 0 ? Math.min(1, part / whole) : 0)

export const percent = (rate: number): string =>
  `${rate.toLocaleString("en", { maximumFractionDigits: rate < 10 ? 2 : 1 })}%`
