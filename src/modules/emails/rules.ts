import { hour, isWithin, minute } from "../../kernel/clock.ts"
import type { MailType } from "../templates/index.ts"
import type { Email, EmailStatus, SourceType } from "./table.ts"

/**
 * What a message is sent for: a campaign, an execution of a workflow, a request of the API or of an SMTP client, or the
 * service itself; `inbound` is mail from other servers. Only the first two have a record.
 */
export type EmailSource =
  | { readonly kind: "campaign" | "workflow"; readonly id: string }
  | { readonly kind: "api" | "system" | "inbound"; readonly id: null }

export const apiSource: EmailSource = { kind: "api", id: null }
export const inboundSource: EmailSource = { kind: "inbound", id: null }
export const systemSource: EmailSource = { kind: "system", id: null }

/** Campaign and workflow mail of type TRANSACTIONAL is shown as transactional (contract A4.5.3). */
export function sourceTypeOf({ kind }: EmailSource, type: MailType): SourceType {
  if (kind === "inbound") return "INBOUND"
  if (type === "TRANSACTIONAL" || kind === "api" || kind === "system") return "TRANSACTIONAL"
  return kind === "campaign" ? "CAMPAIGN" : "WORKFLOW"
}

/** A lower lane goes first, so that a running campaign does not delay a password reset (contract B1.6.4). */
export const lanes = { transactional: 0, workflow: 1, bulk: 2 } as const
export type Lane = (typeof lanes)[keyof typeof lanes]

export type LaneName = keyof typeof lanes
export const laneNames = Object.keys(lanes) as readonly LaneName[]
export const laneNameOf = (lane: number): LaneName => laneNames[lane] ?? "bulk"

/** All campaign mail and all marketing mail is bulk. */
export function laneOf({ kind }: EmailSource, type: MailType): Lane {
  if (kind === "campaign" || type === "MARKETING") return lanes.bulk
  return kind === "workflow" ? lanes.workflow : lanes.transactional
}

/** Delays before the second, third ... attempt (contract A4.5.5). */
const retryDelaysMs = [1 * minute, 5 * minute, 15 * minute, 1 * hour, 2 * hour, 4 * hour, 8 * hour, 16 * hour]

/** When a message is tried again after `attempts` failed attempts; undefined when no attempt is left. */
export function nextAttemptAt(now: number, attempts: number, notBefore = 0): number | undefined {
  const delay = retryDelaysMs[attempts - 1]
  return delay === undefined ? undefined : Math.max(now + delay, notBefore)
}

/** How many interruptions of a message are not followed by a delay. */
const interruptionsAtOnce = 4

/**
 * When a message is tried again whose hand-over, the `attempts`th, was interrupted, because the process died: at once, so that
 * a restart delays nothing. A process that dies again and again would use up all attempts in seconds that way, so the
 * later ones have the delays of the first failures.
 */
export function nextAfterInterruption(now: number, attempts: number): number | undefined {
  if (nextAttemptAt(now, attempts) === undefined) return undefined
  return attempts <= interruptionsAtOnce ? now : nextAttemptAt(now, attempts - interruptionsAtOnce)
}

/**
 * Whether a message is tried again when it is unknown whether it was accepted: transactional and workflow mail is, under the same
 * Message-ID; bulk mail never is, because a second copy of a campaign does more harm than a missing one (contract B1.6.6).
 */
export const repeatsUnknown = (lane: number): boolean => lane !== lanes.bulk

export const outcomeUnknown = "outcome_unknown"
/**
 * The `error` of CANCELLED messages: the recipient has unsubscribed meanwhile (contract B1.6.3), or the campaign was
 * cancelled.
 */
export const recipientUnsubscribed = "unsubscribed"
export const campaignCancelled = "campaign_cancelled"
/** The reason of FAILED messages whose project is disabled (contract B9.4.5). */
export const becauseDisabled = "project_disabled"

/** How long the decision of a workflow step, or of a request, to send a mail remains valid. */
const decidedMs = minute

/**
 * Whether a message is sent only if its recipient is subscribed at the hand-over (contract B1.6.3). For mail of a
 * workflow this was decided by the step (contract B5.4.2): a step may say goodbye and the next one unsubscribe the
 * contact. For marketing mail of a request it was decided by the request; its other mail is sent to everyone (contract
 * A4.3.5).
 */
export function needsConsent(
  { type, sourceType, createdAt }: Pick<Email, "type" | "sourceType" | "createdAt">,
  now: number,
): boolean {
  if (type === "TRANSACTIONAL" || (type === "HEADLESS" && sourceType === "TRANSACTIONAL")) return false
  return sourceType === "CAMPAIGN" || !isWithin(decidedMs, now, createdAt)
}

/**
 * Whether a message is a test of content: it is sent to an address, not a contact, and causes no events (contract
 * B1.7).
 */
export const isTestEmail = (email: { contactId: string | null; contentHash: string | null }): boolean =>
  email.contactId === null && email.contentHash !== null

/** Such mail can be unsubscribed from, though it has no footer (contract A7.1.1). */
export const isHeadlessCampaign = ({ type, sourceType }: { type: string; sourceType: string }): boolean =>
  type === "HEADLESS" && sourceType === "CAMPAIGN"

/** In rising order. */
const statusOrder = ["PENDING", "SENDING", "SENT", "DELIVERED", "OPENED", "CLICKED", "BOUNCED", "COMPLAINED"] as const

/**
 * The status after a report that would set `to`: it only rises (contract A4.5.1). FAILED and CANCELLED are final, except
 * for a bulk message whose outcome was unknown: a later report settles it (contract B1.6.6).
 */
export function raise(from: EmailStatus, to: (typeof statusOrder)[number], error: string | null): EmailStatus {
  const settled = from === "FAILED" && error === outcomeUnknown
  const at = settled ? 1 : statusOrder.indexOf(from as (typeof statusOrder)[number])
  return at >= 0 && statusOrder.indexOf(to) > at ? to : from
}
