import { and, eq, min, not, sql } from "drizzle-orm"
import type { Bus } from "../../../bus/bus.ts"
import { isOneOf } from "../../../store/dialect.ts"
import { prepare } from "../../../store/prepare.ts"
import type { Unit } from "../../../store/writer.ts"
import { emailPromoted } from "../outcome/outcome.ts"
import { emailTable } from "../table.ts"

const { id, leadId } = emailTable
const ids = sql.placeholder("ids")

const heirsOf = prepare((db) =>
  db
    .select({ lead: leadId, next: min(id) })
    .from(emailTable)
    .where(and(isOneOf(leadId, ids), not(isOneOf(id, ids))))
    .groupBy(leadId),
)

/**
 * If the first record of a message is about to be deleted and others stay, makes the next one the first, so that they
 * remain one message.
 */
export async function passLeadsOn(
  bus: Pick<Bus, "emit">,
  unit: Unit,
  projectId: string,
  going: readonly string[],
): Promise<void> {
  for (const { lead, next } of await heirsOf(unit.db, { ids: JSON.stringify(going) })) {
    if (lead === null || next === null) continue
    await unit.db.update(emailTable).set({ leadId: next }).where(eq(leadId, lead))
    await unit.db.update(emailTable).set({ leadId: null }).where(eq(id, next))
    await bus.emit(unit, emailPromoted, projectId, { id: next, before: lead })
  }
}
