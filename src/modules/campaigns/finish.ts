import type { Subscriber } from "../../bus/bus.ts"
import { isSignal } from "../../bus/signal.ts"
import type { Unit } from "../../store/writer.ts"
import { contactRemoved } from "../contacts/index.ts"
import { emailEnded } from "../emails/index.ts"
import type { Endings } from "./endings.ts"
import { findTally, findWalk } from "./progress-store.ts"
import { after } from "./rules.ts"
import { findCampaign, saveCampaign } from "./store.ts"

/** Ends a campaign that has nothing more to do: SENT, its audience walked and no mail open (contract B1.2, row 5). */
export const finisher =
  (endings: Endings) =>
  async (unit: Unit, projectId: string, id: string): Promise<void> => {
    const campaign = await findCampaign(unit.db, projectId, id)
    const status = campaign && after(campaign.status, "finish")
    if (campaign === undefined || status === undefined) return unit.afterCommit(() => endings.forget(id))
    if (await findWalk(unit.db, id)) return
    const open = (await findTally(unit.db, id))?.open ?? 0
    // Told within the unit, so that no ending of a later one is missed; should it fail, too little was expected.
    if (open > 0) return endings.expect(id, open)
    await saveCampaign(unit, { ...campaign, status, updatedAt: unit.now })
    unit.afterCommit(() => endings.forget(id))
  }

export type FinishCampaign = ReturnType<typeof finisher>

/** Hears of mails that ended, or went with their contact, and finishes their campaigns. */
export const finishingReaction = (endings: Endings, finish: FinishCampaign): Subscriber => ({
  name: "campaigns.finish",
  on: [emailEnded, contactRemoved],
  concerns: (_, payload, name) =>
    name === emailEnded.name
      ? endings.mayBeLast((payload as { campaignId: string }).campaignId)
      : endings.waiting().length > 0,
  async handle(signals, unit) {
    const projects = new Map<string, Set<string>>()
    for (const signal of signals) {
      const ended = projects.get(signal.projectId) ?? new Set()
      projects.set(signal.projectId, ended)
      if (isSignal(signal, emailEnded)) ended.add(signal.payload.campaignId)
      // Whose mails they were nobody knows any more: campaigns of other projects are not found.
      else for (const campaignId of endings.waiting()) ended.add(campaignId)
    }
    for (const [projectId, ended] of projects) for (const campaignId of ended) await finish(unit, projectId, campaignId)
  },
})
