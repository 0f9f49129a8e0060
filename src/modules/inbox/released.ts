import type { Bus } from "../../bus/bus.ts"
import { isSignal } from "../../bus/signal.ts"
import type { Subscriber } from "../../bus/subscriber.ts"
import type { Unit } from "../../store/writer.ts"
import { emailChanged, emailsReleased } from "../emails/index.ts"
import { findMarks, findReadUpTo } from "./marks.ts"
import { inboxMarkTable } from "./table.ts"

/** The mails of a deleted campaign become rows of their own: each gets the read mark of the campaign (contract A4.6.5). */
export const releasedSubscriber = (bus: Pick<Bus, "emit">): Subscriber => ({
  name: "inbox.released",
  on: [emailsReleased],
  async handle(signals, unit) {
    for (const signal of signals) {
      if (!isSignal(signal, emailsReleased)) continue
      const { projectId, payload } = signal
      await passMark(unit, projectId, payload)
      await bus.emit(unit, emailChanged, projectId, { id: "", change: "marked" })
    }
  },
})

async function passMark(
  unit: Unit,
  projectId: string,
  { campaignId, ids }: { readonly campaignId: string; readonly ids: readonly string[] },
): Promise<void> {
  const readUpTo = await findReadUpTo(unit.db, projectId)
  const [first = ""] = ids
  const mark = (await findMarks(unit.db, projectId, [campaignId])).get(campaignId)
  const read = mark ?? first <= readUpTo
  // All of them are newer than `readUpTo`, so they are unread.
  if (mark === undefined && !read) return
  // The campaign keeps a mark of its own, for later signals about its remaining mails.
  const rows = [campaignId, ...ids.filter((id) => id <= readUpTo !== read)]
  const marks = rows.map((rowId) => ({ projectId, rowId, read }))
  await unit.db.insert(inboxMarkTable).values(marks).onConflictDoNothing()
}
