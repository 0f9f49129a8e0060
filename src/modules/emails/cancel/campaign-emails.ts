import { and, asc, eq, lte } from "drizzle-orm"
import type { Engine } from "../../../engine.ts"
import { isUnindexed } from "../../../store/dialect.ts"
import type { Unit } from "../../../store/writer.ts"
import type { Begun } from "../delivery/begun.ts"
import { emailChanged, emailsReleased } from "../outcome/outcome.ts"
import { campaignCancelled } from "../rules.ts"
import { emailTable } from "../table.ts"
import { endNotBegun } from "./not-begun.ts"

/** Operations of campaigns on their mail. `limit` bounds one unit; a smaller result means that nothing is left. */
export const createCampaignEmails = ({ bus, begun }: Pick<Engine, "bus"> & { readonly begun: Begun }) => ({
  /** Cancels messages that have not begun to leave; resolves to their number. */
  async cancelPending(unit: Unit, projectId: string, campaignId: string, limit: number): Promise<number> {
    const cancelled = await endNotBegun(unit, begun, {
      of: [emailTable.campaignId, campaignId],
      where: isUnindexed(emailTable.projectId, projectId),
      status: "CANCELLED",
      error: campaignCancelled,
      limit,
    })
    for (const { id } of cancelled) await bus.emit(unit, emailChanged, projectId, { id, change: "updated" })
    return cancelled.length
  },

  /** Removes the campaign from its messages, which stay; resolves to their number. */
  async releaseFromCampaign(unit: Unit, projectId: string, campaignId: string, limit: number): Promise<number> {
    const isOfCampaign = and(eq(emailTable.campaignId, campaignId), eq(emailTable.projectId, projectId))
    const first = await unit.db
      .select({ id: emailTable.id })
      .from(emailTable)
      .where(isOfCampaign)
      .orderBy(asc(emailTable.id))
      .limit(limit)
    const last = first.at(-1)?.id
    if (last === undefined) return 0
    await unit.db
      .update(emailTable)
      .set({ campaignId: null })
      .where(and(isOfCampaign, lte(emailTable.id, last)))
    await bus.emit(unit, emailsReleased, projectId, { campaignId, ids: first.map(({ id }) => id) })
    return first.length
  },
})
