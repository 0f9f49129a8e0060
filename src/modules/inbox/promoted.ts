import { and, eq } from "drizzle-orm"
import type { Bus } from "../../bus/bus.ts"
import { isSignal } from "../../bus/signal.ts"
import type { Subscriber } from "../../bus/subscriber.ts"
import type { Unit } from "../../store/writer.ts"
import { emailChanged, emailPromoted } from "../emails/index.ts"
import { findMarks, findReadUpTo } from "./marks.ts"
import { inboxMarkTable } from "./table.ts"
import type { PassText } from "./text.ts"

/**
 * The record that becomes the first one of its message represents it in the list, so it takes over its read mark and
 * its text.
 */
export const promotedSubscriber = (bus: Pick<Bus, "emit">, passText: PassText): Subscriber => ({
  name: "inbox.promoted",
  on: [emailPromoted],
  async handle(signals, unit) {
    for (const signal of signals) {
      if (!isSignal(signal, emailPromoted)) continue
      const { projectId, payload } = signal
      await passMark(unit, projectId, payload)
      await passText(unit, projectId, payload)
      await bus.emit(unit, emailChanged, projectId, { id: payload.id, change: "updated" })
    }
  },
})

/** A mark that the new first record has already is newer, and stays. */
async function passMark(unit: Unit, projectId: string, { id, before }: { id: string; before: string }): Promise<void> {
  const { projectId: project, rowId } = inboxMarkTable
  const readUpTo = await findReadUpTo(unit.db, projectId)
  const read = (await findMarks(unit.db, projectId, [before])).get(before) ?? before <= readUpTo
  await unit.db.delete(inboxMarkTable).where(and(eq(project, projectId), eq(rowId, before)))
  if (read !== id <= readUpTo)
    await unit.db.insert(inboxMarkTable).values({ projectId, rowId: id, read }).onConflictDoNothing()
}
