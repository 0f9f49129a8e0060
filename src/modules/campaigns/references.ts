import type { Reference, ReferenceSource, ReferenceTarget } from "../../references.ts"
import type { Db } from "../../store/database.ts"
import type { Audiences } from "../segments/index.ts"
import { isActive } from "./rules.ts"
import { listSendingFrom, listUnsent, type UnsentCampaign } from "./store.ts"

/**
 * References of campaigns: DRAFT, SCHEDULED and SENDING ones to their segment and to the segments, fields and events in
 * their audience condition; SCHEDULED and SENDING ones also to their sender domain and to segments that are used
 * indirectly. Segments and domains cannot be deleted while they are referenced (contract B3.2.5, B6.6); fields and
 * events can (contract A5.9, B4.2.8).
 */
export function campaignReferences({
  namesTarget,
  leadingTo,
}: Pick<Audiences, "namesTarget" | "leadingTo">): ReferenceSource {
  const referenceTo = ({ id, name }: Pick<UnsentCampaign, "id" | "name">, blocks: boolean): Reference => ({
    by: "campaign",
    id,
    name,
    blocks,
  })

  return async (db: Db, projectId, target) => {
    if (target.kind === "template") return []
    if (target.kind === "domain")
      return (await listSendingFrom(db, projectId, target.key)).map((campaign) => referenceTo(campaign, true))
    const campaigns = await listUnsent(db, projectId)
    const uses = ({ segmentId, audienceCondition }: UnsentCampaign, { kind, key }: ReferenceTarget) =>
      (kind === "segment" && segmentId === key) ||
      (audienceCondition !== null && namesTarget(audienceCondition, { kind, key }))
    const mayUseThrough = target.kind === "segment" && campaigns.some(({ status }) => isActive(status))
    const others = mayUseThrough ? await leadingTo(db, projectId, target.key) : []
    const usesThrough = (campaign: UnsentCampaign) =>
      isActive(campaign.status) && others.some((key) => uses(campaign, { kind: "segment", key }))
    return campaigns
      .filter((campaign) => uses(campaign, target) || usesThrough(campaign))
      .map((campaign) => referenceTo(campaign, target.kind === "segment"))
  }
}
