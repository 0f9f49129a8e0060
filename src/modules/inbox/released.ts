import { isSignal } from "../../bus/signal.ts"
import type { Subscriber } from "../../bus/subscriber.ts"
import { emailsReleased } from "../emails/index.ts"
import { findMarks, findReadUpTo } from "./marks.ts"
import { inboxMarkTable } from "./table.ts"

/** The mails of a deleted campaign become rows of their own: each gets the read mark of the campaign (contract A4.6.5). */
export const releasedSubscriber: Subscriber = {
  name: "inbox.released",
  on: [emailsReleased],
  async handle(signals, unit) {
    for (const signal of signals) {
      if (!isSignal(signal, emailsReleased)) continue
      const { projectId, payload } = signal
      const read = (await findMarks(unit.db, projectId, [payload.campaignId])).get(payload.campaignId)
      if (read === undefined) continue
      const readUpTo = await findReadUpTo(unit.db, projectId)
      const marks = payload.ids.filter((id) => id <= readUpTo !== read).map((rowId) => ({ projectId, rowId, read }))
      if (marks.length > 0) await unit.db.insert(inboxMarkTable).values(marks).onConflictDoNothing()
    }
  },
}
