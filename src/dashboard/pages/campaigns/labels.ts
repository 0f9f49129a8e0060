import type { AudienceType, Campaign, CampaignStats, CampaignStatus } from "../../api/campaigns.ts"
import { isDeliveryReported } from "../../parts/figures/delivery.ts"
import { count } from "../../ui/format.ts"

export const statusNames: Readonly<Record<CampaignStatus, string>> = {
  DRAFT: "Draft",
  SCHEDULED: "Scheduled",
  SENDING: "Sending",
  SENT: "Sent",
  CANCELLED: "Cancelled",
}

const finalStates: Partial<Record<CampaignStatus, string>> = {
  SENDING: "was sent",
  SENT: "was sent",
  CANCELLED: "was cancelled",
}

/** The final state of a campaign that can no longer be changed; null while it can. */
export const finalStateOf = ({ status }: Pick<Campaign, "status">): string | null => finalStates[status] ?? null

/** The audience of a campaign, in a few words. */
export function formatAudience({ audienceType, segment, segmentId }: Campaign): string {
  if (audienceType === "ALL") return "All contacts"
  if (audienceType === "FILTERED") return "Contacts that match conditions"
  return segment?.name ?? (segmentId ? "A segment that is gone" : "A segment")
}

/** Its recipients; marketing mail goes only to subscribers (contract B1.5.1). */
export const formatRecipients = (recipients: number, type: Campaign["type"]): string =>
  count(recipients, type === "TRANSACTIONAL" ? "contact" : "subscribed contact")

const nobody = {
  ALL: { there: "There are no contacts yet.", subscribed: "None of the contacts is subscribed." },
  SEGMENT: { there: "The segment is empty.", subscribed: "Nobody in the segment is subscribed." },
  FILTERED: {
    there: "Nobody matches the conditions.",
    subscribed: "Nobody who matches the conditions is subscribed.",
  },
} as const

/** Why nobody would get it, although the audience has contacts. */
export const formatNobody = (audienceType: AudienceType, audienceSize: number): string =>
  nobody[audienceType][audienceSize === 0 ? "there" : "subscribed"]

export const cancelReasons: Readonly<Record<NonNullable<Campaign["cancelReason"]>, string>> = {
  user: "By hand.",
  project_disabled: "The project was disabled.",
  sender_unverified: "When its time came, the domain of the sender was not verified.",
}

/** 0 to 1; 0 if the whole is 0. */
export const shareOf = (part: number, whole: number): number => (whole > 0 ? Math.min(1, part / whole) : 0)

/** Whether a provider reports which mails of a campaign were delivered. */
export const reportsDelivery = ({ sentCount, deliveredCount, bouncedCount }: CampaignStats): boolean =>
  isDeliveryReported({ sent: sentCount, delivered: deliveredCount, bounced: bouncedCount })

export const percent = (rate: number): string =>
  `${rate.toLocaleString("en", { maximumFractionDigits: rate < 10 ? 2 : 1 })}%`
