import { hour, minute } from "../../kernel/clock.ts"
import type { MailType } from "../templates/index.ts"
import type { EmailStatus, SourceType } from "./table.ts"

/** A lower lane goes first, so that a running campaign does not delay a password reset (design 6). */
export const lanes = { transactional: 0, workflow: 1, bulk: 2 } as const
export type Lane = (typeof lanes)[keyof typeof lanes]

/** Campaign and marketing mail is bulk, whatever way it came in. */
export function laneOf(mail: { type: MailType; sourceType: SourceType; campaignId: string | null }): Lane {
  if (mail.campaignId !== null || mail.sourceType === "CAMPAIGN" || mail.type === "MARKETING") return lanes.bulk
  return mail.sourceType === "WORKFLOW" ? lanes.workflow : lanes.transactional
}

/** Rests before the second, third ... attempt (contract A4.5.5). */
const retryDelaysMs = [1 * minute, 5 * minute, 15 * minute, 1 * hour, 2 * hour, 4 * hour, 8 * hour, 16 * hour]

/** When a message is tried again after `attempts` failed ones, or undefined when it has had its chances. */
export function nextAttemptAt(now: number, attempts: number, notBefore = 0): number | undefined {
  const delay = retryDelaysMs[attempts - 1]
  return delay === undefined ? undefined : Math.max(now + delay, notBefore)
}

/** What became of a message whose hand-over ended unknown: transactional mail is repeated, bulk mail never (design 6). */
export const repeatsUnknown = (lane: number): boolean => lane !== lanes.bulk

export const outcomeUnknown = "outcome_unknown"
/** Why a message was CANCELLED: its recipient has left meanwhile (contract B1.6.3), or its campaign was cancelled. */
export const recipientLeft = "unsubscribed"
export const campaignCancelled = "campaign_cancelled"

/** Mail that only goes to those who are subscribed when it is handed over (contract B1.6.3). */
export const needsConsent = ({ type, sourceType }: { type: MailType; sourceType: SourceType }): boolean =>
  type !== "TRANSACTIONAL" && (sourceType === "CAMPAIGN" || sourceType === "WORKFLOW")

/** Whether a message is a test of content: it is to an address and not to a contact, and leaves no events (B1.7). */
export const isTestEmail = (email: { contactId: string | null; contentHash: string | null }): boolean =>
  email.contactId === null && email.contentHash !== null

const ladder = ["PENDING", "SENDING", "SENT", "DELIVERED", "OPENED", "CLICKED", "BOUNCED", "COMPLAINED"] as const

/**
 * The status after news that would set `to`: it only moves up (contract A4.5.1). FAILED and CANCELLED are final, but for
 * a bulk message whose outcome was unknown: a later report settles it (contract B1.6.6).
 */
export function raise(from: EmailStatus, to: (typeof ladder)[number], error: string | null): EmailStatus {
  const settled = from === "FAILED" && error === outcomeUnknown
  const at = settled ? 1 : ladder.indexOf(from as (typeof ladder)[number])
  return at >= 0 && ladder.indexOf(to) > at ? to : from
}
