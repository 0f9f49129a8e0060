import { and, asc, type SQL } from "drizzle-orm"
import type { Engine } from "../../engine.ts"
import { isFlag } from "../../store/dialect.ts"
import {
  contactRangeOf,
  contactTable,
  countContacts,
  isInWindow,
  lastSeq,
  listContactsBySeq,
  widthFor,
} from "../contacts/index.ts"
import type { Audience, Audiences } from "./audience.ts"
import { checkCondition } from "./check-condition.ts"
import { namesTarget, segmentsIn } from "./condition-fields.ts"
import type { LiveContacts } from "./evaluate/live.ts"
import { isInSegment, matches } from "./evaluate/matches.ts"
import type { Trees } from "./evaluate/trees.ts"
import { createSegmentGraph } from "./segment-graph.ts"
import { findRule, listAllRules } from "./store.ts"

/** Contacts that one step of a walk evaluates. */
const rowsPerStep = 20_000

const { seq, id, email, subscribed, data } = contactTable

interface AudienceDeps extends Pick<Engine, "store" | "clock"> {
  readonly live: LiveContacts
  readonly trees: Trees
  computeTimed(projectId: string, ids: ReadonlySet<string>, abort: AbortSignal): Promise<void>
}

export function createAudiences({ store, clock, live, trees, computeTimed }: AudienceDeps): Audiences {
  const { read: db, readPool } = store

  /** Whether a contact belongs to the audience: undefined when all do, null when none does. */
  async function membershipSql(projectId: string, audience: Audience): Promise<SQL | null | undefined> {
    const now = audience.at ?? clock.now()
    const isEligible = audience.subscribedOnly ? isFlag(subscribed, true) : undefined
    switch (audience.kind) {
      case "ALL":
        return isEligible
      case "FILTERED":
        return and(isEligible, await matches(db, projectId, JSON.stringify(audience.condition), trees, now))
      case "SEGMENT": {
        const rule = await findRule(db, projectId, audience.segmentId)
        return rule === undefined ? null : and(isEligible, await isInSegment(db, rule, trees, now))
      }
    }
  }

  /** The segments that the condition of an audience names. */
  async function namedBy(projectId: string, audience: Audience): Promise<ReadonlySet<string>> {
    if (audience.kind === "FILTERED") return segmentsIn(audience.condition)
    const rule = audience.kind === "SEGMENT" ? await findRule(db, projectId, audience.segmentId) : undefined
    return rule?.condition ? trees(rule.condition).needs.segments : new Set()
  }

  return {
    lastSeq,

    refresh: async (projectId, audience, abort) => computeTimed(projectId, await namedBy(projectId, audience), abort),

    async count(projectId, audience) {
      if (audience.kind === "ALL") {
        const counts = await countContacts(db, projectId)
        return counts.subscribed + (audience.subscribedOnly ? 0 : counts.unsubscribed)
      }
      const isMember = await membershipSql(projectId, audience)
      return isMember === null ? 0 : live.countMatching(projectId, isMember)
    },

    async next(projectId, audience, after, until, limit) {
      const isMember = await membershipSql(projectId, audience)
      const range = await contactRangeOf(db, projectId)
      if (isMember === null || range.contacts === 0 || after >= until) return { recipients: [], position: until }
      const window = { after, until: Math.min(after + widthFor(range, rowsPerStep), until) }
      const recipients = await readPool.read(projectId, (db) =>
        db
          .select({ seq, id, email, subscribed, data })
          .from(contactTable)
          .where(and(isInWindow(range, window), isMember))
          .orderBy(asc(seq))
          .limit(limit),
      )
      const isWindowDone = recipients.length < limit
      return { recipients, position: isWindowDone ? window.until : (recipients.at(-1)?.seq ?? window.until) }
    },

    present: listContactsBySeq,

    hasSegment: async (db, projectId, segmentId) => (await findRule(db, projectId, segmentId)) !== undefined,

    check: (db, projectId, sent, path) => checkCondition(db, projectId, sent, path, trees),

    segmentsIn,
    namesTarget,

    async leadingTo(db, projectId, segmentId) {
      const graph = createSegmentGraph(await listAllRules(db, projectId), trees)
      return graph.leadingTo(segmentId).filter((id) => id !== segmentId)
    },
  }
}
