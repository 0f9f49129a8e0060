import type { Engine } from "../../engine.ts"
import { done, type Outcome, snooze } from "../../jobs/define.ts"
import { yieldToEventLoop } from "../../kernel/event-loop.ts"
import { createSemaphore } from "../../kernel/semaphore.ts"
import type { Unit } from "../../store/writer.ts"
import type { Emails, PreparedBulkMessage } from "../emails/index.ts"
import type { Projects } from "../projects/index.ts"
import type { Audience, AudienceBatch, Audiences, Recipient } from "../segments/index.ts"
import { audienceOf } from "./audience.ts"
import type { CancelCampaign } from "./cancel.ts"
import type { FinishCampaign } from "./finish.ts"
import { campaignJob } from "./job-kinds.ts"
import { bulkMessageOf } from "./message.ts"
import { advanceWalk, deleteWalk, findTally, findWalk } from "./progress-store.ts"
import { isActive, needsSubscription } from "./rules.ts"
import { findCampaign, saveCampaign } from "./store.ts"
import type { Campaign, CampaignWalk } from "./table.ts"

/** Two of a project at once, so that a small campaign does not wait for a large one. */
export const walkAudience = campaignJob("campaign.walk", { concurrency: 8, perProject: 2 })

/** Batches of one run; then other campaigns have their turn. */
const batchesPerRun = 40
const recipientsPerBatch = 500
/** The most recipients that one unit reads; how many of them it mails depends on the time it takes. */
const recipientsPerUnit = 300
/** The time that one unit may spend on making mails, in ms: all other writes wait for it. */
const unitMs = 12
/** Units of all walks that wait or run at a time, in turns of the walks: requests wait for as many. */
const unitsAtOnce = 2

interface WalkDeps extends Pick<Engine, "store"> {
  readonly projects: Pick<Projects, "find">
  readonly audiences: Audiences
  readonly emails: Emails
  readonly cancel: CancelCampaign
  readonly finish: FinishCampaign
}

interface WalkContext {
  readonly campaign: Campaign
  readonly audience: Audience
  readonly message: PreparedBulkMessage
}

interface Step {
  readonly from: number
  readonly batch: AudienceBatch
}

/**
 * Makes the mails of a campaign (contract B1.6): walks its audience by rising `seq` and stores its position in the unit
 * that makes the mails. So an interrupted walk continues after the last mail it made, and one whose campaign was
 * cancelled makes no more.
 */
export function createWalk({ store, projects, audiences, emails, cancel, finish }: WalkDeps) {
  const turns = createSemaphore(unitsAtOnce)

  /** Mails recipients that still exist, as many as the time allows. Resolves to the `seq` of the last one handled. */
  async function mail(unit: Unit, { campaign, message }: WalkContext, slice: readonly Recipient[]): Promise<number> {
    const { projectId, type } = campaign
    const present = await audiences.present(
      unit.db,
      projectId,
      slice.map(({ seq }) => seq),
    )
    const eligible = present.filter(({ subscribed }) => subscribed || !needsSubscription(type))
    const count = await emails.enqueue(unit, message, eligible, unitMs)
    const last = count < eligible.length ? eligible[count - 1] : slice.at(-1)
    return last?.seq ?? 0
  }

  /** Mails one batch, in units. False when the walk is gone or at another position: another run or a cancellation. */
  async function continueWalk(context: WalkContext, { from, batch }: Step): Promise<boolean> {
    const campaignId = context.campaign.id
    let rest = batch.recipients
    let position = from
    do {
      const slice = rest.slice(0, recipientsPerUnit)
      await turns.acquire()
      const moved = await store
        .write(context.campaign.projectId, async (unit) => {
          if ((await findWalk(unit.db, campaignId))?.position !== position) return undefined
          const reached = slice.length > 0 ? await mail(unit, context, slice) : batch.position
          const to = reached === batch.recipients.at(-1)?.seq ? batch.position : reached
          await advanceWalk(unit, campaignId, position, to)
          return { to, reached }
        })
        .finally(turns.release)
      if (moved === undefined) return false
      position = moved.to
      rest = rest.filter(({ seq }) => seq > moved.reached)
      await yieldToEventLoop()
    } while (rest.length > 0)
    return true
  }

  /** The remaining steps of a walk; the next batch is read while the mails of the present one are made. */
  async function* steps({ campaign, audience }: WalkContext, { position, until }: CampaignWalk): AsyncGenerator<Step> {
    const read = (after: number): Promise<AudienceBatch> => {
      const batch = audiences.next(campaign.projectId, audience, after, until, recipientsPerBatch)
      // The consumer may stop before it awaits this batch; its failure is then not an unhandled rejection.
      batch.catch(() => {})
      return batch
    }
    let next = read(position)
    for (let from = position; from < until; ) {
      const batch = await next
      if (batch.position < until) next = read(batch.position)
      yield { from, batch }
      from = batch.position
    }
  }

  /** Ends the walk: `totalRecipients` is from now on the number of mails made (contract B1.1.4). */
  const complete = (projectId: string, id: string): Promise<void> =>
    store.write(projectId, async (unit) => {
      const campaign = await findCampaign(unit.db, projectId, id)
      if (campaign === undefined || !(await deleteWalk(unit, id))) return
      await saveCampaign(unit, campaign, { totalRecipients: (await findTally(unit.db, id))?.created ?? 0 })
      await finish(unit, projectId, id)
    })

  return async (
    { projectId, campaignId }: { projectId: string; campaignId: string },
    abort: AbortSignal,
  ): Promise<Outcome> => {
    const campaign = await findCampaign(store.read, projectId, campaignId)
    const project = await projects.find(projectId)
    if (campaign?.status !== "SENDING" || project === undefined) return done
    if (project.disabled) {
      await store.write(projectId, async (unit) => {
        const known = await findCampaign(unit.db, projectId, campaignId)
        if (known && isActive(known.status)) await cancel(unit, known, "project_disabled")
      })
      return done
    }
    const context = {
      campaign,
      audience: audienceOf(campaign, campaign.sentAt ?? 0),
      message: await emails.prepareBulk(bulkMessageOf(campaign, project)),
    }
    const walk = await findWalk(store.read, campaignId)
    if (walk === undefined) return done
    let batches = 0
    for await (const step of steps(context, walk)) {
      if (abort.aborted || batches++ === batchesPerRun) return snooze(0)
      if (!(await continueWalk(context, step))) return done
    }
    await complete(projectId, campaignId)
    return done
  }
}
