import { and, asc, eq, inArray, lte } from "drizzle-orm"
import type { Engine } from "../../engine.ts"
import { unleased } from "../../store/lease.ts"
import type { Unit } from "../../store/writer.ts"
import { notBegun } from "./ledger.ts"
import { emailChanged, emailsReleased } from "./outcome.ts"
import { campaignCancelled } from "./rules.ts"
import { emailTable } from "./table.ts"

/** Operations of campaigns on their mail. `limit` bounds one unit; a smaller result means that nothing is left. */
export const createCampaignEmails = ({ bus }: Pick<Engine, "bus">) => ({
  /** Cancels messages that have not begun to leave; resolves to their number. */
  async cancelPending(unit: Unit, projectId: string, campaignId: string, limit: number): Promise<number> {
    const cancelled: { id: string }[] = []
    for (const condition of notBegun) {
      const slice = unit.db
        .select({ id: emailTable.id })
        .from(emailTable)
        .where(and(condition, eq(emailTable.campaignId, campaignId)))
        .orderBy(asc(emailTable.id))
        .limit(limit - cancelled.length)
      const ended = await unit.db
        .update(emailTable)
        .set({ status: "CANCELLED", error: campaignCancelled, ...unleased, updatedAt: unit.now })
        .where(and(condition, inArray(emailTable.id, slice), eq(emailTable.projectId, projectId)))
        .returning({ id: emailTable.id })
      cancelled.push(...ended)
    }
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
