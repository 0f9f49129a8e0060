import type { Engine } from "../../engine.ts"
import type { Unit } from "../../store/writer.ts"
import type { Emails } from "../emails/index.ts"
import { campaignJob } from "./job-kinds.ts"
import { deleteWalk, findTally } from "./progress-store.ts"
import { saveCampaign } from "./store.ts"
import type { Campaign, CancelReason } from "./table.ts"

/**
 * Mails that are cancelled in the unit of the cancellation, in some 50 ms; a job cancels the rest, so that requests
 * need not wait.
 */
const maxAtOnce = 5_000

/** Cancels the remaining mails. None of them can leave meanwhile: delivery checks the status of the campaign. */
export const cancelMails = campaignJob("campaign.cancel")

interface CancelDeps extends Pick<Engine, "jobs"> {
  readonly emails: Emails
}

/** Cancels a campaign that this unit has found SCHEDULED or SENDING (contract B1.6.5). */
export const createCancel =
  ({ jobs, emails }: CancelDeps) =>
  async (unit: Unit, campaign: Campaign, cancelReason: CancelReason): Promise<void> => {
    const { id, projectId } = campaign
    const isSending = campaign.status === "SENDING"
    const created = (await findTally(unit.db, id))?.created ?? 0
    const totalRecipients = isSending ? created : campaign.totalRecipients
    await saveCampaign(unit, campaign, { status: "CANCELLED", cancelReason, totalRecipients, updatedAt: unit.now })
    if (!isSending) return
    await deleteWalk(unit, id)
    const cancelled = await emails.cancelPending(unit, projectId, id, maxAtOnce)
    if (cancelled === maxAtOnce)
      await jobs.enqueue(unit, cancelMails, { projectId, campaignId: id }, { uniqueKey: `${cancelMails.name}:${id}` })
  }

export type CancelCampaign = ReturnType<typeof createCancel>
