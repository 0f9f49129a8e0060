import type { ConditionJson } from "../../conditions/index.ts"
import type { Engine } from "../../engine.ts"
import { projectDisabledError } from "../../http/auth.ts"
import { malformed, notFound } from "../../kernel/errors.ts"
import type { Renderer } from "../../mail/render/index.ts"
import type { Db } from "../../store/database.ts"
import type { Unit } from "../../store/writer.ts"
import type { Domains } from "../domains/index.ts"
import type { Projects } from "../projects/index.ts"
import type { Audiences } from "../segments/index.ts"
import type { AudienceFields, CampaignFields } from "./rules.ts"
import type { Campaign } from "./table.ts"

/** The fields of a campaign in a request of valid shape; the condition is an object of any content. */
export type CampaignRequest = Sent<CampaignFields>
/** The fields of an audience in such a request. */
export type AudienceRequest = Sent<AudienceFields>

type Sent<Fields> = Omit<Fields, "audienceCondition"> & { readonly audienceCondition: unknown }

interface CheckDeps extends Pick<Engine, "store"> {
  readonly projects: Pick<Projects, "find">
  readonly audiences: Audiences
  readonly domains: Domains
  readonly renderer: Renderer
}

/** What is checked before a campaign is stored or sent, in the order of contract A1.6, B1.3 and B1.4. */
export function createChecks({ store, projects, audiences, domains, renderer }: CheckDeps) {
  async function requireSegment(projectId: string, segmentId: string, db: Db = store.read): Promise<void> {
    if (!(await audiences.hasSegment(db, projectId, segmentId))) throw notFound("Segment", segmentId)
  }

  // A segment or condition that does not belong to the audience type is stored as null (contract B1.1.2).

  async function segmentOf(projectId: string, { audienceType, segmentId }: AudienceRequest): Promise<string | null> {
    if (audienceType !== "SEGMENT" || segmentId === null) return null
    await requireSegment(projectId, segmentId)
    return segmentId
  }

  async function conditionOf(
    projectId: string,
    request: AudienceRequest,
    db: Db = store.read,
  ): Promise<ConditionJson | null> {
    if (request.audienceType !== "FILTERED") return null
    const checked = await audiences.check(db, projectId, request.audienceCondition, "audienceCondition")
    if ("faults" in checked) throw malformed("The audienceCondition is not valid.", { errors: checked.faults })
    return checked.condition
  }

  return {
    /** The fields to be stored. */
    async campaign(projectId: string, request: CampaignRequest): Promise<CampaignFields> {
      const segmentId = await segmentOf(projectId, request)
      await domains.requireVerifiedSender(projectId, request.from)
      return { ...request, segmentId, audienceCondition: await conditionOf(projectId, request) }
    },

    /** The same for an audience without a campaign. */
    async audience(projectId: string, request: AudienceRequest): Promise<AudienceFields> {
      const segmentId = await segmentOf(projectId, request)
      return { ...request, segmentId, audienceCondition: await conditionOf(projectId, request) }
    },

    /** Repeated in the unit that stores the fields: a segment or the domain may have been deleted since they were checked. */
    async stillHold({ db }: Unit, projectId: string, fields: CampaignFields): Promise<void> {
      const { segmentId, audienceCondition, from } = fields
      if (segmentId !== null) await requireSegment(projectId, segmentId, db)
      if (audienceCondition !== null && audiences.segmentsIn(audienceCondition).size > 0)
        await conditionOf(projectId, fields, db)
      await domains.requireVerifiedSender(projectId, from, db)
    },

    /** @throws {DomainError} 422 for a subject or body that is not a valid template */
    async content(projectId: string, { subject, body, text }: CampaignFields): Promise<void> {
      const compiled = await renderer.compile(projectId, { subject, body, text })
      if ("refusal" in compiled) throw compiled.refusal
    },

    /**
     * Checks again that the segment exists and the sender domain is verified (contract B1.4.2): both may have changed
     * since the campaign was stored. Repeated in the unit that sends, after which the domain cannot be deleted, and
     * disabling the project cancels the campaign.
     */
    async sendable({ projectId, audienceType, segmentId, from }: Campaign, db: Db = store.read): Promise<void> {
      if ((await projects.find(projectId, db))?.disabled) throw projectDisabledError()
      if (audienceType === "SEGMENT" && segmentId !== null) await requireSegment(projectId, segmentId, db)
      await domains.requireVerifiedSender(projectId, from, db)
    },
  }
}

export type CampaignChecks = ReturnType<typeof createChecks>
