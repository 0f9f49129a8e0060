import type { Engine } from "../../engine.ts"
import { malformed, notFound } from "../../kernel/errors.ts"
import type { Renderer } from "../../mail/render/index.ts"
import type { Domains } from "../domains/index.ts"
import type { Audiences } from "../segments/index.ts"
import type { CampaignFields } from "./rules.ts"
import type { Campaign } from "./table.ts"

/** What a request says of a campaign once its shape is checked; the condition is an object of whatever content. */
export interface CampaignRequest extends Omit<CampaignFields, "audienceCondition"> {
  readonly audienceCondition: unknown
}

interface Parts extends Pick<Engine, "store"> {
  readonly audiences: Audiences
  readonly domains: Domains
  readonly renderer: Renderer
}

/** What a campaign must be before it is stored or sent, in the order of contract A1.6, B1.3 and B1.4. */
export function campaignChecks({ store, audiences, domains, renderer }: Parts) {
  async function segmentIsThere(projectId: string, segmentId: string): Promise<void> {
    if (!(await audiences.hasSegment(store.read, projectId, segmentId))) throw notFound("Segment", segmentId)
  }

  return {
    /** The fields to be stored: what does not belong to the type of the audience is dropped (contract B1.1.2). */
    async read(projectId: string, request: CampaignRequest): Promise<CampaignFields> {
      const { audienceType } = request
      const segmentId = audienceType === "SEGMENT" ? request.segmentId : null
      if (segmentId !== null) await segmentIsThere(projectId, segmentId)
      await domains.requireVerifiedSender(projectId, request.from)
      if (audienceType !== "FILTERED") return { ...request, segmentId, audienceCondition: null }
      const found = await audiences.read(store.read, projectId, request.audienceCondition, "audienceCondition")
      if ("faults" in found) throw malformed("The audienceCondition is not valid.", { errors: found.faults })
      return { ...request, segmentId, audienceCondition: found.condition }
    },

    /** Throws 422 for content that is no template. */
    content({ subject, body }: CampaignFields): void {
      const refusal = renderer.check({ subject, body })
      if (refusal) throw refusal
    },

    /** A copy may be for a segment that is gone, and a sender may have lost its domain. */
    async sendable({ projectId, audienceType, segmentId, from }: Campaign): Promise<void> {
      if (audienceType === "SEGMENT" && segmentId !== null) await segmentIsThere(projectId, segmentId)
      await domains.requireVerifiedSender(projectId, from)
    },
  }
}

export type CampaignChecks = ReturnType<typeof campaignChecks>
