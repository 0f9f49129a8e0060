import { caseFold, type MailType, nameOfCopy } from "../templates/index.ts"
import type { Campaign, CampaignStatus, CampaignTally } from "./table.ts"

/** The writable fields of a campaign, in canonical form (contract B1.1.1). */
export type CampaignFields = Pick<
  Campaign,
  | "name"
  | "description"
  | "subject"
  | "body"
  | "text"
  | "from"
  | "fromName"
  | "replyTo"
  | "type"
  | "audienceType"
  | "segmentId"
  | "audienceCondition"
>

/** The fields that determine the recipients. */
export type AudienceFields = Pick<CampaignFields, "type" | "audienceType" | "segmentId" | "audienceCondition">

/** The state machine of campaigns (contract B1.2). */
const transitions = {
  schedule: { from: ["DRAFT", "SCHEDULED"], to: "SCHEDULED" },
  send: { from: ["DRAFT", "SCHEDULED"], to: "SENDING" },
  cancel: { from: ["SCHEDULED", "SENDING"], to: "CANCELLED" },
  /** The walk over the audience has ended, and no mail is PENDING or SENDING. */
  finish: { from: ["SENDING"], to: "SENT" },
} as const satisfies Record<string, { from: readonly CampaignStatus[]; to: CampaignStatus }>

export type Trigger = keyof typeof transitions

/** The status after a trigger; undefined where the trigger is not allowed. */
export function nextStatus(status: CampaignStatus, trigger: Trigger): CampaignStatus | undefined {
  const { from, to } = transitions[trigger]
  return from.some((one) => one === status) ? to : undefined
}

/** Whether the writable fields may be changed. */
export const isEditable = (status: CampaignStatus): boolean => status === "DRAFT" || status === "SCHEDULED"
/** The statuses of a campaign that is scheduled or being sent. */
export const active = ["SCHEDULED", "SENDING"] as const satisfies CampaignStatus[]
/** Whether a campaign is scheduled or being sent, so that it cannot be deleted. */
export const isActive = (status: CampaignStatus): boolean => active.some((one) => one === status)
/** The non-final statuses, in which a campaign refers to its segment, condition and sender. */
export const unsent = ["DRAFT", ...active] as const satisfies CampaignStatus[]

/** The writable fields of a copy (contract B1.3.6). */
export const copyOf = (campaign: Campaign): CampaignFields => ({
  name: nameOfCopy(campaign.name),
  description: campaign.description,
  subject: campaign.subject,
  body: campaign.body,
  text: campaign.text,
  from: campaign.from,
  fromName: campaign.fromName,
  replyTo: campaign.replyTo,
  type: campaign.type,
  audienceType: campaign.audienceType,
  segmentId: campaign.segmentId,
  audienceCondition: campaign.audienceCondition,
})

/** Whether mail of this type goes to subscribed contacts only (contract B1.5.1). */
export const needsSubscription = (type: MailType): boolean => type !== "TRANSACTIONAL"

/** The text that a search is matched against: name, subject and sender, case-folded. */
export const searchTextOf = ({ name, subject, from }: CampaignFields): string =>
  caseFold(`${name}\n${subject}\n${from}`)

/** Percent of the sent mails, with two decimals; 0 when none was sent (contract B0.6, B1.8). */
export const rateOf = (count: number, sent: number): number =>
  sent === 0 ? 0 : Math.round((count / sent) * 10_000) / 100

export const ratesOf = ({ sent, opened, clicked, bounced, delivered, complained, unsubscribed }: CampaignTally) => ({
  openRate: rateOf(opened, sent),
  clickRate: rateOf(clicked, sent),
  bounceRate: rateOf(bounced, sent),
  deliveryRate: rateOf(delivered, sent),
  complaintRate: rateOf(complained, sent),
  unsubscribeRate: rateOf(unsubscribed, sent),
})
