import { Type } from "@sinclair/typebox"
import type { Engine } from "../../engine.ts"
import { defineJob, done, handles, type JobHandler, type Outcome, type Recurring, snooze } from "../../jobs/define.ts"
import { inSlices } from "../../store/slices.ts"
import type { Emails } from "../emails/index.ts"
import { beginScheduled } from "./begin.ts"
import { type CancelCampaign, cancelRest } from "./cancel.ts"
import type { FinishCampaign } from "./finish.ts"
import { listOfDisabled, listOverdue, listWalked, listWalking, type Place } from "./progress-store.ts"
import { isActive } from "./rules.ts"
import { findCampaign } from "./store.ts"
import { walkAudience } from "./walk.ts"

const tend = defineJob("campaign.reconcile", Type.Object({}))

type Run = (campaign: { projectId: string; campaignId: string }, signal: AbortSignal) => Promise<Outcome>

interface Parts extends Pick<Engine, "store" | "clock" | "jobs"> {
  readonly emails: Emails
  readonly begin: Run
  readonly walk: Run
  readonly cancel: CancelCampaign
  readonly finish: FinishCampaign
}

export function campaignJobs({ store, clock, jobs, emails, begin, walk, cancel, finish }: Parts) {
  const cancelAll: Run = async ({ projectId, campaignId }, signal) => {
    const cancelled = await inSlices(
      store,
      projectId,
      (unit, limit) => emails.cancelPending(unit, projectId, campaignId, limit),
      { abort: signal },
    )
    return cancelled.isOver ? done : snooze(0)
  }

  /** Goes on with a job of a campaign, unless one is waiting or running. */
  const goOn = (kind: typeof walkAudience, { projectId, id }: Place): Promise<boolean> =>
    store.write(projectId, (unit) =>
      jobs.enqueue(unit, kind, { projectId, campaignId: id }, { uniqueKey: `${kind.name}:${id}` }),
    )

  /** A second look at what the bus reports, and at what nobody does: a job that was given up, a clock that was set. */
  async function tendAll(): Promise<Outcome> {
    for (const { projectId, id } of await listOfDisabled(store.read))
      await store.write(projectId, async (unit) => {
        const campaign = await findCampaign(unit.db, projectId, id)
        if (campaign && isActive(campaign.status)) await cancel(unit, campaign, "project_disabled")
      })
    for (const place of await listOverdue(store.read, clock.now())) await goOn(beginScheduled, place)
    for (const place of await listWalking(store.read)) await goOn(walkAudience, place)
    for (const { projectId, id } of await listWalked(store.read))
      await store.write(projectId, (unit) => finish(unit, projectId, id))
    return done
  }

  const handlers: JobHandler[] = [
    handles(beginScheduled, begin),
    handles(walkAudience, walk),
    handles(cancelRest, cancelAll),
    handles(tend, tendAll),
  ]
  const recurring: Recurring[] = [{ name: "campaign.reconcile", every: "* * * * *", kind: tend, payload: {} }]
  return { handlers, recurring }
}
