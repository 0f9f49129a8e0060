import type { Engine } from "../../engine.ts"
import type { Unit } from "../../store/writer.ts"
import type { Emails } from "../emails/index.ts"
import { campaignJob } from "./job-kinds.ts"
import { deleteWalk, findTally } from "./progress-store.ts"
import { saveCampaign } from "./store.ts"
import type { Campaign, CancelReason } from "./table.ts"

/** What is cancelled in the commit of the cancellation: more would hold up everybody. A job does the rest. */
const atOnce = 20_000

/** The rest of the waiting mails; none of them can leave, for that is asked when its turn comes. */
export const cancelRest = campaignJob("campaign.cancel-rest")

interface Parts extends Pick<Engine, "jobs"> {
  readonly emails: Emails
}

/** Cancels a campaign in a unit that has found it SCHEDULED or SENDING (contract B1.6.5). */
export const canceller =
  ({ jobs, emails }: Parts) =>
  async (unit: Unit, campaign: Campaign, cancelReason: CancelReason): Promise<void> => {
    const { id, projectId } = campaign
    const created = (await findTally(unit.db, id))?.created ?? 0
    const totalRecipients = campaign.status === "SENDING" ? created : campaign.totalRecipients
    await saveCampaign(unit, { ...campaign, status: "CANCELLED", cancelReason, totalRecipients, updatedAt: unit.now })
    if (campaign.status !== "SENDING") return
    await deleteWalk(unit, id)
    const cancelled = await emails.cancelPending(unit, projectId, id, atOnce)
    if (cancelled === atOnce)
      await jobs.enqueue(unit, cancelRest, { projectId, campaignId: id }, { uniqueKey: `${cancelRest.name}:${id}` })
  }

export type CancelCampaign = ReturnType<typeof canceller>
