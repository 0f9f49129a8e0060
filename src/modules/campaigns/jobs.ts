import { Type } from "@sinclair/typebox"
import type { Engine } from "../../engine.ts"
import { defineJob, done, handles, type JobHandler, type Outcome, type Recurring, snooze } from "../../jobs/define.ts"
import { reasonOf } from "../../kernel/log.ts"
import { inSlices } from "../../store/slices.ts"
import { isUnavailable } from "../../store/writer.ts"
import type { Emails } from "../emails/index.ts"
import { beginScheduled } from "./begin.ts"
import { type CancelCampaign, cancelMails } from "./cancel.ts"
import type { FinishCampaign } from "./finish.ts"
import { type CampaignRef, listOfDisabled, listOverdue, listWalked, listWalking } from "./progress-store.ts"
import { isActive } from "./rules.ts"
import { findCampaign } from "./store.ts"
import { walkAudience } from "./walk.ts"

const reconcile = defineJob("campaign.reconcile", Type.Object({}))

type Run = (campaign: { projectId: string; campaignId: string }, abort: AbortSignal) => Promise<Outcome>

interface CampaignJobDeps extends Pick<Engine, "store" | "clock" | "jobs" | "log"> {
  readonly emails: Emails
  readonly begin: Run
  readonly walk: Run
  readonly cancel: CancelCampaign
  readonly finish: FinishCampaign
}

export function createCampaignJobs({ store, clock, jobs, log, emails, begin, walk, cancel, finish }: CampaignJobDeps) {
  const cancelRemaining: Run = async ({ projectId, campaignId }, abort) => {
    const { isOver } = await inSlices(
      store,
      projectId,
      (unit, limit) => emails.cancelPending(unit, projectId, campaignId, limit),
      { abort },
    )
    return isOver ? done : snooze(0)
  }

  /** Enqueues a job of a campaign unless one is waiting or running. */
  const ensureJob = (kind: typeof walkAudience, { projectId, id }: CampaignRef): Promise<boolean> =>
    store.write(projectId, (unit) =>
      jobs.enqueue(unit, kind, { projectId, campaignId: id }, { uniqueKey: `${kind.name}:${id}` }),
    )

  /** A campaign that fails is logged and does not keep the others from being continued. */
  async function forEach(campaigns: readonly CampaignRef[], work: (campaign: CampaignRef) => Promise<unknown>) {
    for (const campaign of campaigns)
      try {
        await work(campaign)
      } catch (cause) {
        if (isUnavailable(cause)) throw cause
        log.error("A campaign could not be continued", { campaign: campaign.id, reason: reasonOf(cause) })
      }
  }

  /**
   * Continues every campaign that has missed a step: its signal was missed, its job has failed permanently, or its time
   * has come because the clock was set.
   */
  async function reconcileAll(): Promise<Outcome> {
    await forEach(await listOfDisabled(store.read), ({ projectId, id }) =>
      store.write(projectId, async (unit) => {
        const campaign = await findCampaign(unit.db, projectId, id)
        if (campaign && isActive(campaign.status)) await cancel(unit, campaign, "project_disabled")
      }),
    )
    await forEach(await listOverdue(store.read, clock.now()), (campaign) => ensureJob(beginScheduled, campaign))
    await forEach(await listWalking(store.read), (campaign) => ensureJob(walkAudience, campaign))
    await forEach(await listWalked(store.read), ({ projectId, id }) =>
      store.write(projectId, (unit) => finish(unit, projectId, id)),
    )
    return done
  }

  const handlers: JobHandler[] = [
    handles(beginScheduled, begin),
    handles(walkAudience, walk),
    handles(cancelMails, cancelRemaining),
    handles(reconcile, reconcileAll),
  ]
  const recurring: Recurring[] = [{ kind: reconcile, every: "* * * * *" }]
  return { handlers, recurring }
}
