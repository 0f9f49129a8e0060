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
      const { campaignId, ids } = payload
      const readUpTo = await findReadUpTo(unit.db, projectId)
      const [first = ""] = ids
      const mark = (await findMarks(unit.db, projectId, [campaignId])).get(campaignId)
      const read = mark ?? first <= readUpTo
      // All of them are unread by their place.
      if (mark === undefined && !read) continue
      // Its own mark tells the signals of its later mails what its first mail has told.
      const rows = [campaignId, ...ids.filter((id) => id <= readUpTo !== read)]
      const marks = rows.map((rowId) => ({ projectId, rowId, read }))
      await unit.db.insert(inboxMarkTable).values(marks).onConflictDoNothing()
    }
  },
}
