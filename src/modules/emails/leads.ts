import { and, eq, inArray, min, notInArray } from "drizzle-orm"
import type { Bus } from "../../bus/bus.ts"
import type { Unit } from "../../store/writer.ts"
import { emailPromoted } from "./outcome.ts"
import { emailTable } from "./table.ts"

/**
 * Makes the next record of a message the first one where that is about to be deleted and others stay: they remain one
 * message.
 */
export async function passLeadsOn(
  bus: Pick<Bus, "emit">,
  unit: Unit,
  projectId: string,
  ids: readonly string[],
): Promise<void> {
  const { id, leadId } = emailTable
  const heirs = await unit.db
    .select({ lead: leadId, next: min(id) })
    .from(emailTable)
    .where(and(inArray(leadId, [...ids]), notInArray(id, [...ids])))
    .groupBy(leadId)
  for (const { lead, next } of heirs) {
    if (lead === null || next === null) continue
    await unit.db.update(emailTable).set({ leadId: next }).where(eq(leadId, lead))
    await unit.db.update(emailTable).set({ leadId: null }).where(eq(id, next))
    await bus.emit(unit, emailPromoted, projectId, { id: next, before: lead })
  }
}
