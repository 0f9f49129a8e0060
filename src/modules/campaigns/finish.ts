import type { Subscriber } from "../../bus/bus.ts"
import { isSignal } from "../../bus/signal.ts"
import type { Unit } from "../../store/writer.ts"
import { contactRemoved } from "../contacts/index.ts"
import { emailEnded } from "../emails/index.ts"
import type { OpenMails } from "./open-mails.ts"
import { findTally, findWalk } from "./progress-store.ts"
import { nextStatus } from "./rules.ts"
import { findCampaign, saveCampaign } from "./store.ts"

/** Marks a campaign as SENT once its audience is walked and none of its mails is pending (contract B1.2.5). */
export const createFinish =
  (openMails: OpenMails) =>
  async (unit: Unit, projectId: string, id: string): Promise<void> => {
    const campaign = await findCampaign(unit.db, projectId, id)
    const status = campaign && nextStatus(campaign.status, "finish")
    if (campaign === undefined || status === undefined) return unit.afterCommit(() => openMails.delete(id))
    if (await findWalk(unit.db, id)) return
    const open = (await findTally(unit.db, id))?.open ?? 0
    // Set before the commit, so that no ending in a later unit is missed; if this unit fails, the number is too low,
    // which is harmless.
    if (open > 0) return openMails.set(campaign, open)
    await saveCampaign(unit, campaign, { status, updatedAt: unit.now })
    unit.afterCommit(() => openMails.delete(id))
  }

export type FinishCampaign = ReturnType<typeof createFinish>

/** Finishes campaigns when their mails end, or are deleted with their contact. */
export const finishSubscriber = (openMails: OpenMails, finish: FinishCampaign): Subscriber => ({
  name: "campaigns.finish",
  on: [emailEnded, contactRemoved],
  concerns: (projectId, payload, name) =>
    name === emailEnded.name
      ? openMails.mayBeLast((payload as { campaignId: string }).campaignId)
      : openMails.campaigns(projectId).length > 0,
  async handle(signals, unit) {
    const projects = new Map<string, Set<string>>()
    for (const signal of signals) {
      const campaigns = projects.get(signal.projectId) ?? new Set()
      projects.set(signal.projectId, campaigns)
      if (isSignal(signal, emailEnded)) campaigns.add(signal.payload.campaignId)
      // The campaigns of deleted mails are unknown, so all campaigns of the project are checked.
      else for (const campaignId of openMails.campaigns(signal.projectId)) campaigns.add(campaignId)
    }
    for (const [projectId, campaigns] of projects)
      for (const campaignId of campaigns) await finish(unit, projectId, campaignId)
  },
})
