import { domainOf } from "../../kernel/email-address.ts"
import type { Reference, ReferenceSource } from "../../references.ts"
import type { Db } from "../../store/database.ts"
import type { Audiences } from "../segments/index.ts"
import { isActive } from "./rules.ts"
import { listUnsent, type UnsentCampaign } from "./store.ts"

/**
 * The DRAFT, SCHEDULED and SENDING campaigns that are for a segment or whose audience condition names a segment, field or
 * event, and the SCHEDULED and SENDING ones that are sent from a domain. Segments and domains cannot be deleted while
 * they are used so (contract B3.2.5, B6.6); fields and events can (contract A5.9, B4.2.8).
 */
export function campaignReferences({ namesTarget }: Pick<Audiences, "namesTarget">): ReferenceSource {
  const referenceTo = ({ id, name }: UnsentCampaign, blocks: boolean): Reference => ({
    by: "campaign",
    id,
    name,
    blocks,
  })

  return async (db: Db, projectId, target) => {
    if (target.kind === "template") return []
    const campaigns = await listUnsent(db, projectId)
    if (target.kind === "domain")
      return campaigns
        .filter(({ status, from }) => isActive(status) && domainOf(from) === target.key)
        .map((campaign) => referenceTo(campaign, true))
    return campaigns
      .filter(
        ({ segmentId, audienceCondition }) =>
          (target.kind === "segment" && segmentId === target.key) ||
          (audienceCondition !== null && namesTarget(audienceCondition, target)),
      )
      .map((campaign) => referenceTo(campaign, target.kind === "segment"))
  }
}
