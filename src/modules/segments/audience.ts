import { and, asc, type SQL } from "drizzle-orm"
import type { Engine } from "../../engine.ts"
import { isFlag } from "../../store/dialect.ts"
import { contactTable, countContacts, lastSeq } from "../contacts/index.ts"
import type { Audience, Audiences, Recipient } from "./audience-types.ts"
import { namesField, segmentsIn } from "./condition-fields.ts"
import { whoFits, whoIsIn } from "./evaluate/belongs.ts"
import { listBySeq } from "./evaluate/contacts.ts"
import type { LiveContacts } from "./evaluate/live.ts"
import type { Trees } from "./evaluate/trees.ts"
import { askedOf, isWithin, reachOf, widthFor } from "./evaluate/windows.ts"
import { readSent } from "./sent-condition.ts"
import { findRule } from "./store.ts"

/** Contacts that one step of a walk looks at. */
const looks = 20_000

const { seq, id, email, subscribed, data } = contactTable

interface Parts extends Pick<Engine, "store" | "clock"> {
  readonly live: LiveContacts
  readonly trees: Trees
}

/** A row as a read on the pool has it. */
type RawRecipient = Omit<Recipient, "subscribed" | "data"> & { subscribed: number; data: string }

const decoded = (row: RawRecipient): Recipient => ({
  ...row,
  subscribed: row.subscribed === 1,
  data: JSON.parse(row.data),
})

export function audiences({ store, clock, live, trees }: Parts): Audiences {
  const { read: db, readPool } = store

  /** Tells who belongs, of everybody where it is undefined; null when nobody does. */
  async function whoIsMeant(projectId: string, audience: Audience): Promise<SQL | null | undefined> {
    const now = audience.at ?? clock.now()
    const state = audience.subscribedOnly ? isFlag(subscribed, true) : undefined
    switch (audience.kind) {
      case "ALL":
        return state
      case "FILTERED":
        return and(state, await whoFits(db, projectId, JSON.stringify(audience.condition), trees, now))
      case "SEGMENT": {
        const rule = await findRule(db, projectId, audience.segmentId)
        return rule === undefined ? null : and(state, await whoIsIn(db, rule, trees, now))
      }
    }
  }

  return {
    lastSeq,

    async count(projectId, audience) {
      if (audience.kind === "ALL") {
        const counts = await countContacts(db, projectId)
        return counts.subscribed + (audience.subscribedOnly ? 0 : counts.unsubscribed)
      }
      const who = await whoIsMeant(projectId, audience)
      return who === null ? 0 : live.count(projectId, who)
    },

    async next(projectId, audience, after, until, limit) {
      const who = await whoIsMeant(projectId, audience)
      const reach = await reachOf(db, projectId)
      if (who === null || reach.contacts === 0 || after >= until) return { recipients: [], position: until }
      const window = { after, until: Math.min(after + widthFor(reach, looks), until) }
      const query = db
        .select({ seq, id, email, subscribed, data })
        .from(contactTable)
        .where(and(isWithin(reach), who))
        .orderBy(asc(seq))
        .limit(limit)
      const recipients = (await readPool.read<RawRecipient>(askedOf(query)(window))).map(decoded)
      const isWhole = recipients.length < limit
      return { recipients, position: isWhole ? window.until : (recipients.at(-1)?.seq ?? window.until) }
    },

    present: (handle, projectId, seqs) => listBySeq(handle, projectId, seqs),

    hasSegment: async (handle, projectId, segmentId) => (await findRule(handle, projectId, segmentId)) !== undefined,

    read: (handle, projectId, sent, path) => readSent(handle, projectId, sent, path, trees),

    segmentsIn,
    namesField,
  }
}
