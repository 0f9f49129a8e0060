import { and, asc, count, eq, gt, inArray, lte, max, sql } from "drizzle-orm"
import type { Engine } from "../../../engine.ts"
import { yieldToEventLoop } from "../../../kernel/event-loop.ts"
import { idParam } from "../../../store/dialect.ts"
import { prepare } from "../../../store/prepare.ts"
import { inSlices } from "../../../store/slices.ts"
import type { Unit } from "../../../store/writer.ts"
import { type EmailStatus, emailTable } from "../table.ts"

/**
 * The number of messages read or changed at once: a template may have millions, and other writers must not wait for
 * all.
 */
const slice = 2_000

/** SENT and all later states (contract A4.5.1). */
const left: readonly EmailStatus[] = ["SENT", "DELIVERED", "OPENED", "CLICKED", "BOUNCED", "COMPLAINED"]

const countNext = prepare((db) => {
  const next = db
    .select({ id: emailTable.id, status: emailTable.status })
    .from(emailTable)
    .where(
      and(
        eq(emailTable.templateId, idParam("templateId")),
        eq(emailTable.projectId, idParam("projectId")),
        gt(emailTable.id, idParam("after")),
      ),
    )
    .orderBy(asc(emailTable.id))
    .limit(slice)
    .as("next")
  const sent = sql<number>`coalesce(sum(CASE WHEN ${inArray(next.status, [...left])} THEN 1 ELSE 0 END), 0)`
  return db.select({ sent, seen: count(), last: max(next.id) }).from(next)
})

/** Operations of templates on the messages made from them. */
export const createTemplateEmails = ({ store }: Pick<Engine, "store">) => ({
  /** The number of messages that reached SENT (contract A6.7). */
  async emailsSent(projectId: string, templateId: string): Promise<number> {
    let total = 0
    for (let after = ""; ; ) {
      const [found] = await countNext(store.read, { projectId, templateId, after })
      total += found?.sent ?? 0
      if (!found?.last || found.seen < slice) return total
      after = found.last
      await yieldToEventLoop()
    }
  },

  /** Removes the template from its messages until one slice is left, which is changed with the deletion of its row. */
  async releaseEmails(projectId: string, templateId: string): Promise<void> {
    const isOfTemplate = and(eq(emailTable.templateId, templateId), eq(emailTable.projectId, projectId))
    const releaseNext = async (unit: Unit, limit: number): Promise<number> => {
      const first = await unit.db
        .select({ id: emailTable.id })
        .from(emailTable)
        .where(isOfTemplate)
        .orderBy(asc(emailTable.id))
        .limit(limit + 1)
      const last = first.at(limit - 1)?.id
      if (first.length <= limit || last === undefined) return 0
      await unit.db
        .update(emailTable)
        .set({ templateId: null })
        .where(and(isOfTemplate, lte(emailTable.id, last)))
      return limit
    }
    await inSlices(store, projectId, releaseNext, { size: slice })
  },
})
