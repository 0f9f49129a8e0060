import { type Static, Type as t } from "@sinclair/typebox"
import { about, named } from "../../http/openapi/describe.ts"
import { choiceIn, given, type Query, searchIn } from "../../http/page.ts"
import { optional, requiredFault, shape, text, withRules } from "../../http/schema.ts"
import { iso, isoOrNull } from "../../kernel/clock.ts"
import { parseAddress } from "../../kernel/email-address.ts"
import { type Fault, fault, malformed } from "../../kernel/errors.ts"
import { parseId } from "../../kernel/ids.ts"
import { maxSourceLength } from "../../mail/render/index.ts"
import { type MailType, mailTypes } from "../templates/index.ts"
import type { CampaignRequest } from "./checks.ts"
import { type campaignSchema, newCampaignExample, type statsSchema } from "./document.ts"
import { ratesOf } from "./rules.ts"
import { type CampaignFilter, type CampaignOrder, type Report, sortKeys } from "./store.ts"
import { type AudienceType, audienceTypes, type CampaignTally, campaignStatuses } from "./table.ts"

/** Contract A9, row 8. */
const maxSubject = 998

/** The body of `POST /campaigns` and `PUT /campaigns/{id}` (contract B1.1). */
export const campaignBody = withRules(
  named(
    "CampaignRequest",
    shape({
      name: text({ min: 1, form: "line" }),
      subject: about("May hold template tags.", text({ min: 1, max: maxSubject, form: "line" })),
      body: about("HTML with template tags, such as `{{name ?? there}}`.", text({ min: 1, max: maxSourceLength })),
      from: about("Its domain must be verified for the project.", text({ form: "address" })),
      // Choices are rules of ours: a literal union would take a value of another JSON type for a wrong choice.
      audienceType: t.Unsafe<AudienceType>({ ...text(), enum: [...audienceTypes] }),
      description: about("For those who work with it; never sent.", optional(text())),
      fromName: about(
        "Shown beside the sender's address. The name of the project when there is none.",
        optional(text({ form: "line" })),
      ),
      replyTo: about("Where replies go.", optional(text({ form: "address" }))),
      type: about("`MARKETING` when left out.", optional(t.Unsafe<MailType>({ ...text(), enum: [...mailTypes] }))),
      segmentId: about("With audience `SEGMENT`.", optional(text({ form: "id" }))),
      audienceCondition: about("With audience `FILTERED`: a condition as segments have it.", optional(shape({}))),
    }),
    newCampaignExample,
  ),
  (sent) => [
    ...blankFaults(sent),
    ...choiceFaults("type", sent.type, mailTypes),
    ...choiceFaults("audienceType", sent.audienceType, audienceTypes),
    ...companionFaults(sent),
  ],
)

const blankFaults = (sent: Record<string, unknown>): Fault[] =>
  (["name", "subject", "body"] as const).flatMap((field) => {
    const value = sent[field]
    const isBlank = typeof value === "string" && value !== "" && value.trim() === ""
    return isBlank ? [fault(field, "too_small", `${field} must not be blank.`)] : []
  })

const choiceFaults = (field: string, value: unknown, allowed: readonly string[]): Fault[] =>
  typeof value !== "string" || allowed.includes(value)
    ? []
    : [fault(field, "invalid_enum", `${field} must be one of ${allowed.join(", ")}.`)]

/** What the audience goes by (contract B1.1.2). */
function companionFaults({ audienceType, segmentId, audienceCondition }: Record<string, unknown>): Fault[] {
  const absent = (value: unknown) => value === undefined || value === null
  if (audienceType === "SEGMENT" && absent(segmentId)) return [requiredFault("segmentId")]
  if (audienceType === "FILTERED" && absent(audienceCondition)) return [requiredFault("audienceCondition")]
  return []
}

/** The form an address is stored in; the schema has checked that it is one. */
const canonical = (address: string): string => parseAddress(address) ?? address

export const requestIn = (sent: Static<typeof campaignBody>): CampaignRequest => ({
  name: sent.name,
  description: sent.description ?? null,
  subject: sent.subject,
  body: sent.body,
  from: canonical(sent.from),
  fromName: sent.fromName ?? null,
  replyTo: sent.replyTo ? canonical(sent.replyTo) : null,
  type: sent.type ?? "MARKETING",
  audienceType: sent.audienceType,
  segmentId: sent.segmentId ? (parseId(sent.segmentId) ?? null) : null,
  audienceCondition: sent.audienceCondition ?? null,
})

/** The body of `POST /campaigns/{id}/send`; what is no time is refused by `scheduleIn`, with 400. */
export const sendBody = named(
  "CampaignSendRequest",
  shape({
    scheduledFor: t.Optional(
      t.Any({ description: "A time; in UTC when it names no zone. Left out or null: at once.", type: "string" }),
    ),
  }),
  { scheduledFor: "2026-02-03T08:00:00Z" },
)

export const trialBody = named("CampaignTestRequest", shape({ email: text({ form: "address" }) }), {
  email: "ada@example.com",
})
export const addressIn = ({ email }: Static<typeof trialBody>): string => canonical(email)

/** An unknown status is refused (spec 4.5). */
export function filterIn(query: Query): CampaignFilter {
  const wanted = given(query.status)
  const status = campaignStatuses.find((one) => one === wanted)
  if (wanted !== undefined && status === undefined)
    throw malformed(`status must be one of ${campaignStatuses.join(", ")}.`)
  return { status, search: searchIn(query.search) }
}

export const orderIn = (query: Query): CampaignOrder => ({
  sort: choiceIn(query.sort, sortKeys, "createdAt"),
  dir: choiceIn(query.dir, ["asc", "desc"], "desc"),
})

const presentCounts = (tally: CampaignTally) => ({
  sentCount: tally.sent,
  deliveredCount: tally.delivered,
  openedCount: tally.opened,
  clickedCount: tally.clicked,
  bouncedCount: tally.bounced,
  complainedCount: tally.complained,
  unsubscribedCount: tally.unsubscribed,
  failedCount: tally.failed,
  cancelledCount: tally.cancelled,
})

export const presentCampaign = ({ campaign, tally, segment }: Report): Static<typeof campaignSchema> => ({
  id: campaign.id,
  name: campaign.name,
  description: campaign.description,
  subject: campaign.subject,
  body: campaign.body,
  from: campaign.from,
  fromName: campaign.fromName,
  replyTo: campaign.replyTo,
  type: campaign.type,
  status: campaign.status,
  audienceType: campaign.audienceType,
  audienceCondition: campaign.audienceCondition && { ...campaign.audienceCondition },
  segmentId: campaign.segmentId,
  segment,
  scheduledFor: isoOrNull(campaign.scheduledFor),
  totalRecipients: campaign.totalRecipients,
  ...presentCounts(tally),
  cancelReason: campaign.cancelReason,
  projectId: campaign.projectId,
  sentAt: isoOrNull(campaign.sentAt),
  createdAt: iso(campaign.createdAt),
  updatedAt: iso(campaign.updatedAt),
})

export const presentStats = ({ campaign, tally }: Report): Static<typeof statsSchema> => ({
  totalRecipients: campaign.totalRecipients,
  ...presentCounts(tally),
  ...ratesOf(tally),
})
