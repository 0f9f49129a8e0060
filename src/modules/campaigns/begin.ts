import type { Engine } from "../../engine.ts"
import { done, type Outcome, snooze } from "../../jobs/define.ts"
import { DomainError } from "../../kernel/errors.ts"
import type { Unit } from "../../store/writer.ts"
import type { Domains } from "../domains/index.ts"
import type { Projects } from "../projects/index.ts"
import type { Audiences } from "../segments/index.ts"
import { audienceOf } from "./audience.ts"
import type { CancelCampaign } from "./cancel.ts"
import { campaignJob } from "./job-kinds.ts"
import { insertWalk } from "./progress-store.ts"
import { findCampaign, saveCampaign } from "./store.ts"
import type { Campaign } from "./table.ts"
import { walkAudience } from "./walk.ts"

/** Begins a scheduled campaign when its time has come. */
export const beginScheduled = campaignJob("campaign.begin", { concurrency: 2 })

/** Starts sending a campaign that this unit has found ready; the walk then creates its mails. */
export const createBegin =
  ({ jobs, audiences }: Pick<Engine, "jobs"> & { readonly audiences: Audiences }) =>
  async (unit: Unit, campaign: Campaign, begun: Pick<Campaign, "scheduledFor" | "totalRecipients">): Promise<void> => {
    const { id, projectId } = campaign
    await saveCampaign(unit, campaign, { ...begun, status: "SENDING", sentAt: unit.now, updatedAt: unit.now })
    await insertWalk(unit, { campaignId: id, until: await audiences.lastSeq(unit.db), position: 0 })
    await jobs.enqueue(unit, walkAudience, { projectId, campaignId: id }, { uniqueKey: `${walkAudience.name}:${id}` })
  }

export type BeginCampaign = ReturnType<typeof createBegin>

interface BeginScheduledDeps extends Pick<Engine, "store" | "clock"> {
  readonly projects: Pick<Projects, "find">
  readonly domains: Domains
  readonly audiences: Audiences
  readonly begin: BeginCampaign
  readonly cancel: CancelCampaign
}

/** Begins a campaign that is due, or cancels it when it may not be sent (contract B1.2.4, B1.2.6, B1.2.7). */
export const createBeginScheduled =
  ({ store, clock, projects, domains, audiences, begin, cancel }: BeginScheduledDeps) =>
  async (
    { projectId, campaignId }: { projectId: string; campaignId: string },
    abort: AbortSignal,
  ): Promise<Outcome> => {
    const isDue = (campaign: Campaign | undefined): campaign is Campaign =>
      campaign?.status === "SCHEDULED" && (campaign.scheduledFor ?? 0) <= clock.now()
    const seen = await findCampaign(store.read, projectId, campaignId)
    const project = await projects.find(projectId)
    if (!isDue(seen) || project === undefined) return done
    const blockReason = project.disabled
      ? "project_disabled"
      : (await maySend(domains, seen))
        ? undefined
        : ("sender_unverified" as const)
    const audience = audienceOf(seen, clock.now())
    if (blockReason === undefined) await audiences.refresh(projectId, audience, abort)
    if (abort.aborted) return snooze(0)
    const totalRecipients = blockReason === undefined ? await audiences.count(projectId, audience) : 0
    return store.write(projectId, async (unit) => {
      const campaign = await findCampaign(unit.db, projectId, campaignId)
      if (!isDue(campaign)) return done
      // The campaign was replaced meanwhile, so it is checked and counted again.
      if (campaign.updatedAt !== seen.updatedAt) return snooze(0)
      if (blockReason !== undefined) await cancel(unit, campaign, blockReason)
      else await begin(unit, campaign, { scheduledFor: campaign.scheduledFor, totalRecipients })
      return done
    })
  }

async function maySend(domains: Domains, { projectId, from }: Campaign): Promise<boolean> {
  try {
    await domains.requireVerifiedSender(projectId, from)
    return true
  } catch (cause) {
    if (cause instanceof DomainError && cause.kind === "forbidden") return false
    throw cause
  }
}
