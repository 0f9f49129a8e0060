import { type Static, Type as t } from "@sinclair/typebox"
import { about, named } from "../../http/openapi/describe.ts"
import { choiceIn, given, type Query, requiredChoiceIn, searchIn } from "../../http/page.ts"
import { choice, choiceFaults, optional, requiredFault, shape, text, withRules } from "../../http/schema.ts"
import { iso, isoOrNull } from "../../kernel/clock.ts"
import { canonicalAddress } from "../../kernel/email-address.ts"
import { type Fault, fault } from "../../kernel/errors.ts"
import { parseId } from "../../kernel/ids.ts"
import { contentFaults, contentFields, contentOptions, mailType, mailTypes } from "../templates/index.ts"
import type { AudienceRequest, CampaignRequest } from "./checks.ts"
import { type campaignSchema, type engagementSchema, newCampaignExample, type statsSchema } from "./document.ts"
import type { Engagement } from "./engagement.ts"
import { ratesOf } from "./rules.ts"
import { type CampaignFilter, type CampaignOrder, type CampaignReport, sortKeys } from "./store.ts"
import { audienceTypes, type CampaignTally, campaignStatuses } from "./table.ts"

const typeField = about("`MARKETING` when left out.", optional(mailType))
const companionFields = {
  segmentId: about("With audience `SEGMENT`.", optional(text({ form: "id" }))),
  audienceCondition: about("With audience `FILTERED`: a condition as segments have it.", optional(shape({}))),
}

/** The body of `POST /campaigns` and `PUT /campaigns/{id}` (contract B1.1). */
export const campaignBody = withRules(
  named(
    "CampaignRequest",
    shape({
      ...contentFields,
      audienceType: choice(audienceTypes),
      ...contentOptions,
      type: typeField,
      ...companionFields,
    }),
    newCampaignExample,
  ),
  (sent) => [...contentFaults(sent), ...audienceFaults(sent)],
)

/** The body of `POST /campaigns/audience`: the fields of the above that determine the audience. */
export const audienceBody = withRules(
  named(
    "CampaignRecipientsRequest",
    shape({ audienceType: choice(audienceTypes), type: typeField, ...companionFields }),
    {
      audienceType: "ALL",
    },
  ),
  (sent) => [...choiceFaults("type", sent.type, mailTypes), ...audienceFaults(sent)],
)

/** A segment or condition is required for the audience types that need one (contract B1.1.2). */
function audienceFaults({ audienceType, segmentId, audienceCondition }: Record<string, unknown>): Fault[] {
  const absent = (value: unknown) => value === undefined || value === null
  const missing =
    audienceType === "SEGMENT" && absent(segmentId)
      ? [requiredFault("segmentId")]
      : audienceType === "FILTERED" && absent(audienceCondition)
        ? [requiredFault("audienceCondition")]
        : []
  return [...choiceFaults("audienceType", audienceType, audienceTypes), ...missing]
}

export const requestIn = (sent: Static<typeof campaignBody>): CampaignRequest => ({
  name: sent.name,
  description: sent.description ?? null,
  subject: sent.subject,
  body: sent.body,
  text: sent.text ?? null,
  from: canonicalAddress(sent.from),
  fromName: sent.fromName ?? null,
  replyTo: sent.replyTo ? canonicalAddress(sent.replyTo) : null,
  ...audienceIn(sent),
})

export const audienceIn = (sent: Static<typeof audienceBody>): AudienceRequest => ({
  type: sent.type ?? "MARKETING",
  audienceType: sent.audienceType,
  segmentId: sent.segmentId ? (parseId(sent.segmentId) ?? null) : null,
  audienceCondition: sent.audienceCondition ?? null,
})

/** The body of `POST /campaigns/{id}/send`; `scheduleIn` refuses an invalid time with 400. */
export const sendBody = withRules(
  named(
    "CampaignSendRequest",
    shape({
      scheduledFor: t.Optional(
        t.Any({
          description: "A time; in UTC when it names no zone. Left out or null: at once.",
          type: ["string", "integer", "null"],
        }),
      ),
    }),
    // In the future, because the past is refused.
    { scheduledFor: "2099-02-03T08:00:00Z" },
  ),
  // A misspelt date must not cause the campaign to be sent at once (contract B1.4.1).
  (sent) =>
    Object.keys(sent)
      .filter((key) => key !== "scheduledFor")
      .map((key) => fault(key, "custom", `${key} is not known here: the time to send at is scheduledFor.`)),
)

export const testEmailBody = named("CampaignTestRequest", shape({ email: text({ form: "address" }) }), {
  email: "ada@example.com",
})
export const addressIn = ({ email }: Static<typeof testEmailBody>): string => canonicalAddress(email)

/** @throws {DomainError} 400 for an unknown status (contract B1.3.1) */
export function filterIn(query: Query): CampaignFilter {
  return {
    status: requiredChoiceIn("status", given(query.status), campaignStatuses),
    search: searchIn(query.search),
  }
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

export const presentCampaign = ({ campaign, tally, segment }: CampaignReport): Static<typeof campaignSchema> => ({
  id: campaign.id,
  name: campaign.name,
  description: campaign.description,
  subject: campaign.subject,
  body: campaign.body,
  text: campaign.text,
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

export const presentStats = ({ campaign, tally }: CampaignReport): Static<typeof statsSchema> => ({
  totalRecipients: campaign.totalRecipients,
  ...presentCounts(tally),
  ...ratesOf(tally),
})

export const presentEngagement = ({ hours, ...rest }: Engagement): Static<typeof engagementSchema> => ({
  ...rest,
  links: [...rest.links],
  hours: hours.map(({ startsAt, ...counts }) => ({ startsAt: iso(startsAt), ...counts })),
})
