import type { Db } from "../../store/database.ts"
import type { Audiences } from "../segments/index.ts"
import { listUnsent } from "./store.ts"

/** What campaigns that are still to be sent go by: answers for lower rooms, read by the handle they give. */
export const campaignUses = ({ segmentsIn, namesField }: Pick<Audiences, "segmentsIn" | "namesField">) => ({
  /** Whether one is for the segment, or names it in its condition (contract B3.2). */
  async useSegment(db: Db, projectId: string, segmentId: string): Promise<boolean> {
    const campaigns = await listUnsent(db, projectId)
    return campaigns.some(
      (one) =>
        one.segmentId === segmentId ||
        (one.audienceCondition !== null && segmentsIn(one.audienceCondition).has(segmentId)),
    )
  },

  /** Those whose condition names the field, such as `data.plan` (contract A5.10). */
  async usingField(db: Db, projectId: string, field: string): Promise<{ id: string; name: string }[]> {
    const campaigns = await listUnsent(db, projectId)
    return campaigns
      .filter(({ audienceCondition }) => audienceCondition !== null && namesField(audienceCondition, field))
      .map(({ id, name }) => ({ id, name }))
  },
})
