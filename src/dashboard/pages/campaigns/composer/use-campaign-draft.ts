import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { type Campaign, type CampaignFields, getCampaign, replaceCampaign } from "../../../api/campaigns.ts"
import { useUnsaved } from "../../../context/leave-guard.ts"
import { useSession } from "../../../context/session.ts"
import { type ConditionState, useCondition } from "../../../parts/condition/use-condition.ts"
import { ruleOn } from "../../../parts/draft/overwrite.tsx"
import { keepCampaign } from "../../../queries/campaigns.ts"
import { noRefusal, type Refusal, refusalOf } from "../faults.ts"

/** What is edited of a campaign beside the conditions of its audience. */
export type PlainFields = Omit<CampaignFields, "audienceCondition">

export interface CampaignDraft extends Refusal {
  readonly fields: PlainFields
  /** Of a FILTERED audience. */
  readonly conditions: ConditionState
  readonly isDirty: boolean
  readonly saving: boolean
  /** Why the audience cannot be saved as it stands; null when it can. */
  readonly lacking: string | null
  edit(part: Partial<PlainFields>): void
  /**
   * Resolves to the campaign as it is stored now; null when it is not. Asks before it overwrites what was saved elsewhere
   * meanwhile.
   */
  save(): Promise<Campaign | null>
}

const names = [
  "name",
  "description",
  "subject",
  "body",
  "from",
  "fromName",
  "replyTo",
  "type",
  "audienceType",
  "segmentId",
] as const

/** The editor knows one kind of line break. */
const plainOf = (campaign: Campaign): PlainFields => ({
  name: campaign.name,
  description: campaign.description,
  subject: campaign.subject,
  body: campaign.body.replace(/\r\n?/g, "\n"),
  from: campaign.from,
  fromName: campaign.fromName,
  replyTo: campaign.replyTo,
  type: campaign.type,
  audienceType: campaign.audienceType,
  segmentId: campaign.segmentId,
})

/** What is sent for a field: nothing instead of an empty text where there may be nothing. */
const sent = (name: (typeof names)[number], fields: PlainFields) =>
  name === "description" || name === "fromName" || name === "replyTo" ? fields[name]?.trim() || null : fields[name]

/** A campaign as it stands in the composer, apart from the one that is stored until it is saved. */
export function useCampaignDraft(campaign: Campaign): CampaignDraft {
  const { project } = useSession()
  const client = useQueryClient()
  const [began, setBegan] = useState(campaign)
  const [changes, setChanges] = useState<Partial<PlainFields>>({})
  const [refusal, setRefusal] = useState<Refusal>(noRefusal)
  const [saving, setSaving] = useState(false)
  const conditions = useCondition(began.audienceCondition)
  const stored = plainOf(began)
  const fields = { ...stored, ...changes }
  const isFiltered = fields.audienceType === "FILTERED"
  const isDirty =
    names.some((name) => sent(name, fields) !== sent(name, stored)) || (isFiltered && conditions.isChanged)
  useUnsaved(isDirty, (path) => path === `/app/campaigns/${campaign.id}`)

  // what is saved elsewhere is shown, unless something was changed here
  if (began !== campaign && !isDirty) {
    setBegan(campaign)
    setChanges({})
  }

  /** Makes the stored version the one to go on from, with what is changed of it. */
  const goOnFrom = (stored: Campaign, left: (now: Partial<PlainFields>) => Partial<PlainFields>) => {
    keepCampaign(client, project.id, stored)
    setBegan(stored)
    setChanges(left)
    setRefusal(noRefusal)
  }

  const lacking =
    fields.audienceType === "SEGMENT" && fields.segmentId === null
      ? "Choose a segment."
      : isFiltered && conditions.condition === null
        ? "The conditions are not complete yet."
        : null

  return {
    fields,
    conditions,
    isDirty,
    saving,
    lacking,
    ...refusal,
    edit(part) {
      setChanges((now) => ({ ...now, ...part }))
      setRefusal(({ faults, syntax, condition, audience }) => {
        const left = Object.entries(faults).filter(([name]) => name !== "other" && !(name in part))
        const isAboutAudience = "audienceType" in part || "segmentId" in part
        return {
          faults: Object.fromEntries(left),
          syntax: syntax && syntax.field in part ? null : syntax,
          condition,
          audience: isAboutAudience ? null : audience,
        }
      })
    },
    async save() {
      if (!isDirty) return campaign
      if (saving) return null
      if (lacking !== null) {
        setRefusal({ ...noRefusal, audience: lacking })
        return null
      }
      setSaving(true)
      try {
        const stored = await getCampaign(project.id, campaign.id)
        const ruling = await ruleOn(began, stored, "campaign")
        if (ruling === "load") {
          goOnFrom(stored, () => ({}))
          conditions.reset(stored.audienceCondition)
        }
        if (ruling !== "save") return null
        const plain = Object.fromEntries(names.map((name) => [name, sent(name, fields)])) as unknown as PlainFields
        const audienceCondition = isFiltered ? conditions.condition : null
        const saved = await replaceCampaign(project.id, campaign.id, { ...plain, audienceCondition })
        // what was typed while the request was under way stays changed
        goOnFrom(saved, (now) => (now === changes ? {} : now))
        return saved
      } catch (cause) {
        setRefusal(refusalOf(cause))
        return null
      } finally {
        setSaving(false)
      }
    },
  }
}
