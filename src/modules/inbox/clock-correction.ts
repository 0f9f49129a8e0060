import { gt } from "drizzle-orm"
import { lastIdAt } from "../../kernel/ids.ts"
import type { ClockCorrection } from "../../store/clock-correction.ts"
import { saveReadUpTo } from "./marks.ts"
import { inboxStateTable } from "./table.ts"

/** Mail that was read while the clock was ahead stays read, and new mail is unread. All projects in one unit. */
export const correctReadUpTo: ClockCorrection = async (unit) => {
  const isAhead = gt(inboxStateTable.readUpTo, lastIdAt(unit.now))
  const states = await unit.db.select().from(inboxStateTable).where(isAhead)
  for (const { projectId, readUpTo } of states) await saveReadUpTo(unit, projectId, readUpTo)
  return 0
}
