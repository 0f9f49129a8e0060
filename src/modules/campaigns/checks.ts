import type { ConditionJson } from "../../conditions/index.ts"
import type { Engine } from "../../engine.ts"
import { malformed, notFound } from "../../kernel/errors.ts"
import type { Renderer } from "../../mail/render/index.ts"
import type { Db } from "../../store/database.ts"
import type { Unit } from "../../store/writer.ts"
import type { Domains } from "../domains/index.ts"
import type { Audiences } from "../segments/index.ts"
import type { AudienceFields, CampaignFields } from "./rules.ts"
import type { Campaign } from "./table.ts"

/** What a request says of a campaign once its shape is checked; the condition is an object of whatever content. */
export type CampaignRequest = Sent<CampaignFields>
/** What a request says of an audience alone. */
export type AudienceRequest = Sent<AudienceFields>

type Sent<Fields> = Omit<Fields, "audienceCondition"> & { readonly audienceCondition: unknown }

interface Parts extends Pick<Engine, "store"> {
  readonly audiences: Audiences
  readonly domains: Domains
  readonly renderer: Renderer
}

/** What a campaign must be before it is stored or sent, in the order of contract A1.6, B1.3 and B1.4. */
export function campaignChecks({ store, audiences, domains, renderer }: Parts) {
  async function segmentIsThere(projectId: string, segmentId: string, db: Db = store.read): Promise<void> {
    if (!(await audiences.hasSegment(db, projectId, segmentId))) throw notFound("Segment", segmentId)
  }

  // What does not belong to the type of the audience is dropped (contract B1.1.2).

  async function segmentOf(projectId: string, { audienceType, segmentId }: AudienceRequest): Promise<string | null> {
    if (audienceType !== "SEGMENT" || segmentId === null) return null
    await segmentIsThere(projectId, segmentId)
    return segmentId
  }

  async function conditionOf(
    projectId: string,
    request: AudienceRequest,
    db: Db = store.read,
  ): Promise<ConditionJson | null> {
    if (request.audienceType !== "FILTERED") return null
    const found = await audiences.read(db, projectId, request.audienceCondition, "audienceCondition")
    if ("faults" in found) throw malformed("The audienceCondition is not valid.", { errors: found.faults })
    return found.condition
  }

  return {
    /** The fields to be stored. */
    async read(projectId: string, request: CampaignRequest): Promise<CampaignFields> {
      const segmentId = await segmentOf(projectId, request)
      await domains.requireVerifiedSender(projectId, request.from)
      return { ...request, segmentId, audienceCondition: await conditionOf(projectId, request) }
    },

    /** The same of an audience that belongs to no campaign yet. */
    async audience(projectId: string, request: AudienceRequest): Promise<AudienceFields> {
      const segmentId = await segmentOf(projectId, request)
      return { ...request, segmentId, audienceCondition: await conditionOf(projectId, request) }
    },

    /** Asked again in the unit that stores the fields: a segment may have gone since they were read. */
    async stillThere({ db }: Unit, projectId: string, fields: CampaignFields): Promise<void> {
      const { segmentId, audienceCondition } = fields
      if (segmentId !== null) await segmentIsThere(projectId, segmentId, db)
      if (audienceCondition !== null && audiences.segmentsIn(audienceCondition).size > 0)
        await conditionOf(projectId, fields, db)
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
