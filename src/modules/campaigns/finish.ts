import type { Subscriber } from "../../bus/bus.ts"
import { isSignal } from "../../bus/signal.ts"
import type { Unit } from "../../store/writer.ts"
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

/** Hears of mails that ended and finishes their campaigns. */
export const finishingReaction = (endings: Endings, finish: FinishCampaign): Subscriber => ({
  name: "campaigns.finish",
  on: [emailEnded],
  concerns: (_, payload) => endings.mayBeLast((payload as { campaignId: string }).campaignId),
  async handle(signals, unit) {
    const ended = new Map<string, string>()
    for (const signal of signals)
      if (isSignal(signal, emailEnded)) ended.set(signal.payload.campaignId, signal.projectId)
    for (const [campaignId, projectId] of ended) await finish(unit, projectId, campaignId)
  },
})
