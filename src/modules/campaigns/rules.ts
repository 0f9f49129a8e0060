import { caseFold, type MailType, nameOfCopy } from "../templates/index.ts"
import type { Campaign, CampaignStatus, CampaignTally } from "./table.ts"

/** What a request can say of a campaign, in canonical form. */
export type CampaignFields = Pick<
  Campaign,
  | "name"
  | "description"
  | "subject"
  | "body"
  | "from"
  | "fromName"
  | "replyTo"
  | "type"
  | "audienceType"
  | "segmentId"
  | "audienceCondition"
>

/** What decides who gets a campaign. */
export type AudienceFields = Pick<CampaignFields, "type" | "audienceType" | "segmentId" | "audienceCondition">

/** What moves a campaign on (contract B1.2). */
const transitions = {
  schedule: { from: ["DRAFT", "SCHEDULED"], to: "SCHEDULED" },
  send: { from: ["DRAFT", "SCHEDULED"], to: "SENDING" },
  /** The time has come. */
  begin: { from: ["SCHEDULED"], to: "SENDING" },
  /** The time has come, and the sender may not send. */
  refuse: { from: ["SCHEDULED"], to: "CANCELLED" },
  cancel: { from: ["SCHEDULED", "SENDING"], to: "CANCELLED" },
  /** The audience is walked, and no mail is waiting or under way. */
  finish: { from: ["SENDING"], to: "SENT" },
} as const satisfies Record<string, { from: readonly CampaignStatus[]; to: CampaignStatus }>

export type Trigger = keyof typeof transitions

/** The status after a trigger, or undefined where it has no place. */
export function after(status: CampaignStatus, trigger: Trigger): CampaignStatus | undefined {
  const { from, to } = transitions[trigger]
  return from.some((one) => one === status) ? to : undefined
}

/** Whether what a campaign says may still be changed. */
export const isOpen = (status: CampaignStatus): boolean => status === "DRAFT" || status === "SCHEDULED"
/** Whether a campaign stands in the way of its own deletion. */
export const isActive = (status: CampaignStatus): boolean => status === "SCHEDULED" || status === "SENDING"
/** The states of campaigns whose audience is still to be looked up. */
export const unsent = ["DRAFT", "SCHEDULED", "SENDING"] as const satisfies CampaignStatus[]

/** What a copy of a campaign says (contract B1.3). */
export const copyOf = (campaign: Campaign): CampaignFields => ({
  name: nameOfCopy(campaign.name),
  description: campaign.description,
  subject: campaign.subject,
  body: campaign.body,
  from: campaign.from,
  fromName: campaign.fromName,
  replyTo: campaign.replyTo,
  type: campaign.type,
  audienceType: campaign.audienceType,
  segmentId: campaign.segmentId,
  audienceCondition: campaign.audienceCondition,
})

/** Whether a mail of this type only goes to subscribed contacts (contract B1.5). */
export const needsSubscription = (type: MailType): boolean => type !== "TRANSACTIONAL"

/** What a search looks at: name, subject and sender, folded. */
export const searchTextOf = ({ name, subject, from }: CampaignFields): string =>
  caseFold(`${name}\n${subject}\n${from}`)

/** Percent of the mails that left, with two decimals; 0 when none did (contract B0.6, B1.8). */
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
