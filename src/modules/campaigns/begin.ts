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

/** The time of a scheduled campaign has come. */
export const beginScheduled = campaignJob("campaign.begin", { concurrency: 2 })

/** Sets a campaign going, in a unit that has found that it may: from here on the walk makes its mails. */
export const beginner =
  ({ jobs, audiences }: Pick<Engine, "jobs"> & { audiences: Audiences }) =>
  async (unit: Unit, campaign: Campaign, begun: Pick<Campaign, "scheduledFor" | "totalRecipients">): Promise<void> => {
    const { id, projectId } = campaign
    await saveCampaign(unit, { ...campaign, ...begun, status: "SENDING", sentAt: unit.now, updatedAt: unit.now })
    await insertWalk(unit, { campaignId: id, until: await audiences.lastSeq(unit.db), position: 0 })
    await jobs.enqueue(unit, walkAudience, { projectId, campaignId: id }, { uniqueKey: `${walkAudience.name}:${id}` })
  }

export type BeginCampaign = ReturnType<typeof beginner>

interface Parts extends Pick<Engine, "store" | "clock"> {
  readonly projects: Pick<Projects, "find">
  readonly domains: Domains
  readonly audiences: Audiences
  readonly begin: BeginCampaign
  readonly cancel: CancelCampaign
}

/** Begins a campaign whose time has come, or ends it when it may not be sent (contract B1.2, rows 4, 6 and 7). */
export const scheduledBeginner =
  ({ store, clock, projects, domains, audiences, begin, cancel }: Parts) =>
  async ({ projectId, campaignId }: { projectId: string; campaignId: string }): Promise<Outcome> => {
    const isDue = (campaign: Campaign | undefined): campaign is Campaign =>
      campaign?.status === "SCHEDULED" && (campaign.scheduledFor ?? 0) <= clock.now()
    const seen = await findCampaign(store.read, projectId, campaignId)
    const project = await projects.find(projectId)
    if (!isDue(seen) || project === undefined) return done
    const bar = project.disabled
      ? "project_disabled"
      : (await maySend(domains, seen))
        ? undefined
        : ("sender_unverified" as const)
    const totalRecipients = bar === undefined ? await audiences.count(projectId, audienceOf(seen, clock.now())) : 0
    return store.write(projectId, async (unit) => {
      const campaign = await findCampaign(unit.db, projectId, campaignId)
      if (!isDue(campaign)) return done
      // What was looked at has been replaced meanwhile: it is looked at again.
      if (campaign.updatedAt !== seen.updatedAt) return snooze(0)
      if (bar !== undefined) await cancel(unit, campaign, bar)
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
