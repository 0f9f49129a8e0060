import type { Engine } from "../../engine.ts"
import { done, type Outcome, snooze } from "../../jobs/define.ts"
import { yieldToEventLoop } from "../../kernel/event-loop.ts"
import type { Unit } from "../../store/writer.ts"
import type { Emails, PreparedBulkMessage } from "../emails/index.ts"
import type { Project, Projects } from "../projects/index.ts"
import type { Audience, Audiences, Recipient, WalkedStretch } from "../segments/index.ts"
import { audienceOf } from "./audience.ts"
import type { CancelCampaign } from "./cancel.ts"
import type { FinishCampaign } from "./finish.ts"
import { campaignJob } from "./job-kinds.ts"
import { advanceWalk, deleteWalk, findTally, findWalk } from "./progress-store.ts"
import { isActive, needsSubscription } from "./rules.ts"
import { findCampaign, saveCampaign } from "./store.ts"
import type { Campaign, CampaignWalk } from "./table.ts"

/** Two at once, so that a small campaign need not wait for a great one. */
export const walkAudience = campaignJob("campaign.walk", { concurrency: 2 })

/** Stretches of one run: then other campaigns have their turn. */
const stretchesPerRun = 40
/** Recipients looked up at once. */
const perStretch = 500
/** The most that one unit reads; how many it mails is a matter of time. */
const perUnit = 300
/** What one unit may spend on making mails, in ms: everybody who writes waits for it. */
const unitMs = 12

interface Parts extends Pick<Engine, "store"> {
  readonly projects: Pick<Projects, "find">
  readonly audiences: Audiences
  readonly emails: Emails
  readonly cancel: CancelCampaign
  readonly finish: FinishCampaign
}

/**
 * Makes the mails of a campaign (contract B1.6): goes through its audience by rising `seq`, and stores each time how far it
 * is in the unit that makes the mails. So a walk that was cut off goes on behind the last mail it made, and one that was
 * overtaken by a cancellation makes no more.
 */
export function audienceWalk({ store, projects, audiences, emails, cancel, finish }: Parts) {
  /** Mails to recipients that are still there, as far as the time allows. Resolves to where the walk is then. */
  async function mail(unit: Unit, { campaign, bulk }: Going, slice: readonly Recipient[]): Promise<number> {
    const { projectId, type } = campaign
    const present = await audiences.present(
      unit.db,
      projectId,
      slice.map(({ seq }) => seq),
    )
    const willing = present.filter(({ subscribed }) => subscribed || !needsSubscription(type))
    const count = await emails.enqueue(unit, bulk, willing, unitMs)
    const at = count < willing.length ? willing[count - 1] : slice.at(-1)
    return at?.seq ?? 0
  }

  /** Goes on by one stretch, in units. False when the walk is not where it was thought to be: it is over. */
  async function goOn(going: Going, from: number, found: WalkedStretch): Promise<boolean> {
    const campaignId = going.campaign.id
    let rest = found.recipients
    let position = from
    do {
      const slice = rest.slice(0, perUnit)
      const moved = await store.write(going.campaign.projectId, async (unit) => {
        if ((await findWalk(unit.db, campaignId))?.position !== position) return undefined
        const reached = slice.length > 0 ? await mail(unit, going, slice) : found.position
        const to = reached === found.recipients.at(-1)?.seq ? found.position : reached
        await advanceWalk(unit, campaignId, position, to)
        return { to, reached }
      })
      if (moved === undefined) return false
      position = moved.to
      rest = rest.filter(({ seq }) => seq > moved.reached)
      // Others have their turn.
      await yieldToEventLoop()
    } while (rest.length > 0)
    return true
  }

  /** What lies ahead of a walk; the next stretch is looked up while the mails of the last one are made. */
  async function* ahead({ campaign, audience }: Going, { position, until }: CampaignWalk): AsyncGenerator<Ahead> {
    const look = (after: number): Promise<WalkedStretch> => {
      const found = audiences.next(campaign.projectId, audience, after, until, perStretch)
      // Should nobody come to ask for it, its failure is nobody's business.
      found.catch(() => {})
      return found
    }
    let coming = look(position)
    for (let from = position; from < until; ) {
      const found = await coming
      if (found.position < until) coming = look(found.position)
      yield { from, found }
      from = found.position
    }
  }

  /** The audience is walked: in the end the recipients are the mails there are. */
  const end = (projectId: string, id: string): Promise<void> =>
    store.write(projectId, async (unit) => {
      const campaign = await findCampaign(unit.db, projectId, id)
      if (campaign === undefined || !(await findWalk(unit.db, id))) return
      await deleteWalk(unit, id)
      await saveCampaign(unit, { ...campaign, totalRecipients: (await findTally(unit.db, id))?.created ?? 0 })
      await finish(unit, projectId, id)
    })

  return async (
    { projectId, campaignId }: { projectId: string; campaignId: string },
    signal: AbortSignal,
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
    const going = {
      campaign,
      audience: audienceOf(campaign, campaign.sentAt ?? 0),
      bulk: emails.prepareBulk(bulkMessageOf(campaign, project)),
    }
    const walk = await findWalk(store.read, campaignId)
    if (walk === undefined) return done
    let stretches = 0
    for await (const { from, found } of ahead(going, walk)) {
      if (signal.aborted || stretches++ === stretchesPerRun) return snooze(0)
      if (!(await goOn(going, from, found))) return done
    }
    await end(projectId, campaignId)
    return done
  }
}

interface Ahead {
  readonly from: number
  readonly found: WalkedStretch
}

interface Going {
  readonly campaign: Campaign
  readonly audience: Audience
  readonly bulk: PreparedBulkMessage
}

/** The mail of a campaign; the sender is shown under the name of the project when it has none of its own. */
export const bulkMessageOf = (campaign: Campaign, project: Pick<Project, "name" | "language">) => ({
  source: { kind: "campaign", id: campaign.id } as const,
  projectId: campaign.projectId,
  language: project.language,
  subject: campaign.subject,
  body: campaign.body,
  from: campaign.from,
  fromName: campaign.fromName?.trim() || project.name || null,
  replyTo: campaign.replyTo,
  type: campaign.type,
})
