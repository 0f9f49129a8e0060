import {
  type Campaign,
  type CampaignFields,
  createCampaign,
  getCampaign,
  replaceCampaign,
} from "../../../api/campaigns.ts"
import { isMissing } from "../../../api/http.ts"
import { noRefusal, type Refusal, refusalOf } from "../../../api/refusal.ts"
import {
  type ConditionContent,
  type ConditionState,
  conditionContent,
  conditionOf,
  isConditionChanged,
  useCondition,
} from "../../../parts/condition/use-condition.ts"
import { contentFields, contentForm, normalizeLineBreaks, orNull } from "../../../parts/content/content-fields.ts"
import { type Draft, type DraftKind, useDraft } from "../../../parts/draft/use-draft.ts"
import { cacheCampaign } from "../../../queries/campaigns.ts"
import { finalStateOf } from "../labels.ts"

/** The editable content of a campaign. */
export type CampaignContent = Omit<CampaignFields, "audienceCondition"> & {
  /** For a FILTERED audience; kept while another audience is chosen. */
  readonly condition: ConditionContent
}

export interface CampaignDraft extends Draft<Campaign, CampaignContent> {
  readonly conditions: ConditionState
  /** Why the audience cannot be saved as it stands; null when it can. */
  readonly lacking: string | null
}

const names = ["name", ...contentFields, "audienceType", "segmentId"] as const

const contentOf = (campaign: Campaign, before?: CampaignContent): CampaignContent => ({
  name: campaign.name,
  description: campaign.description,
  subject: campaign.subject,
  body: normalizeLineBreaks(campaign.body),
  text: campaign.text === null ? null : normalizeLineBreaks(campaign.text),
  from: campaign.from,
  fromName: campaign.fromName,
  replyTo: campaign.replyTo,
  type: campaign.type,
  audienceType: campaign.audienceType,
  segmentId: campaign.segmentId,
  condition: conditionContent(campaign.audienceCondition, before?.condition),
})

/** The fields as they are sent: null instead of an empty optional text. */
const asSent = ({ condition, ...fields }: CampaignContent): CampaignFields => ({
  ...fields,
  description: orNull(fields.description),
  text: orNull(fields.text) === null ? null : fields.text,
  fromName: orNull(fields.fromName),
  replyTo: orNull(fields.replyTo),
  audienceCondition: fields.audienceType === "FILTERED" ? conditionOf(condition) : null,
})

function lackOf({ audienceType, segmentId, condition }: CampaignContent): string | null {
  if (audienceType === "SEGMENT" && segmentId === null) return "Choose a segment."
  return audienceType === "FILTERED" && conditionOf(condition) === null ? "The conditions are not complete yet." : null
}

const aboutAudience = (text: string): Refusal => ({ ...noRefusal, faults: { audienceType: text } })

const kind: DraftKind<Campaign, CampaignContent, Campaign> = {
  noun: "campaign",
  pathOf: ({ id }) => `/campaigns/${id}`,
  contentOf,
  isChanged(content, base) {
    const [wanted, stored] = [asSent(content), asSent(contentOf(base, content))]
    return (
      names.some((name) => wanted[name] !== stored[name]) ||
      (content.audienceType === "FILTERED" && isConditionChanged(content.condition, base.audienceCondition))
    )
  },
  lacks(content) {
    const lack = lackOf(content)
    return lack === null ? null : aboutAudience(lack)
  },
  load: getCampaign,
  finalStateOf,
  save: (projectId, content, { id }) => replaceCampaign(projectId, id, asSent(content)),
  createAgain: (projectId, content) => createCampaign(projectId, asSent(content)),
  cache: cacheCampaign,
  refusalOf(cause) {
    const refusal = refusalOf(cause, { ...contentForm, fields: names, condition: "audienceCondition" })
    if (refusal.condition.length > 0)
      return { ...refusal, faults: { audienceType: "The conditions are not complete yet." } }
    const isAboutSegment = isMissing(cause) || "segmentId" in refusal.faults
    return isAboutSegment ? aboutAudience("Choose a segment that is there.") : refusal
  },
}

/** The draft of a campaign in the composer. */
export function useCampaignDraft(campaign: Campaign, isGone: boolean): CampaignDraft {
  const draft = useDraft(campaign, kind, isGone)
  const { content, base, edit } = draft
  const conditions = useCondition(content.condition, base.audienceCondition, (condition) => edit({ condition }))
  return { ...draft, conditions, lacking: lackOf(content) }
}
