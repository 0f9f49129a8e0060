import { and, asc, type SQL, sql } from "drizzle-orm"
import type { Engine } from "../../../engine.ts"
import { yieldToEventLoop } from "../../../kernel/event-loop.ts"
import { mapConcurrent } from "../../../kernel/map-concurrent.ts"
import type { Db } from "../../../store/database.ts"
import { isOneOf } from "../../../store/dialect.ts"
import type { Unit } from "../../../store/writer.ts"
import {
  type ContactRange,
  contactRangeOf,
  contactTable,
  isInWindow,
  type Window,
  windowsOf,
} from "../../contacts/index.ts"
import { matches } from "../evaluate/matches.ts"
import type { Trees } from "../evaluate/trees.ts"
import type { TriggerIndex } from "../incremental/trigger-index.ts"
import type { Membership, MembershipChange } from "../members/membership.ts"
import { isMember } from "../members/store.ts"
import { isTracked } from "../rules.ts"
import { findRule, type Rule } from "../store.ts"
import { createSliceSize } from "./slice-size.ts"

/** Contacts that one read on the pool compares. */
const rowsPerStep = 25_000
/** One window is compared while the differences of another are recorded. */
const windowsAtOnce = 2

interface RecomputeDeps extends Pick<Engine, "store" | "clock"> {
  readonly trees: Trees
  readonly membership: Membership
  readonly triggers: Pick<TriggerIndex, "settled">
}

/**
 * Brings the recorded membership of a tracked segment in line with its condition. The read pool compares windows of
 * contacts; those that differ are compared again in the unit that records the change, so that each real join and leave
 * is recorded once, even with concurrent changes. No position is stored: an interrupted pass is repeated, and finds
 * nothing to do where it was complete.
 */
export function createRecompute({ store, clock, trees, membership, triggers }: RecomputeDeps) {
  const matchSql = (db: Db, rule: Rule, now: number): Promise<SQL> =>
    matches(db, rule.projectId, rule.condition ?? "", trees, now)

  /** Finds the `seq` of contacts in a window that match and are not recorded, or are recorded and do not match. */
  async function listDiffering(range: ContactRange, window: Window, rule: Rule, match: SQL): Promise<number[]> {
    const { seq } = contactTable
    const rows = await store.readPool.read(rule.projectId, (db) =>
      db
        .select({ seq })
        .from(contactTable)
        .where(and(isInWindow(range, window), sql`(${match}) <> (${isMember(db, rule.id)})`))
        .orderBy(asc(seq)),
    )
    return rows.map((row) => row.seq)
  }

  /** Records the membership of some contacts; undefined when the segment has changed since they were compared. */
  async function record(unit: Unit, compared: Rule, seqs: readonly number[]): Promise<MembershipChange | undefined> {
    const rule = await findRule(unit.db, compared.projectId, compared.id)
    if (rule === undefined || !isTracked(rule) || rule.condition !== compared.condition) return undefined
    const evaluated = await evaluate(unit.db, seqs, await matchSql(unit.db, rule, unit.now))
    const idsWhere = (isMatch: boolean) => evaluated.filter((one) => one.isMatch === isMatch).map(({ id }) => id)
    return {
      added: await membership.join(unit, rule, idsWhere(true)),
      removed: await membership.leave(unit, rule, idsWhere(false)),
    }
  }

  /** The contacts with these `seq` that still exist, and whether each matches. */
  async function evaluate(
    db: Db,
    seqs: readonly number[],
    match: SQL,
  ): Promise<{ readonly id: string; readonly isMatch: boolean }[]> {
    const { id, seq } = contactTable
    const query = db
      .select({ id, isMatch: sql`(${match})`.mapWith(Boolean) })
      .from(contactTable)
      .where(isOneOf(seq, sql.placeholder("seqs")))
    return query.prepare().execute({ seqs: JSON.stringify(seqs) })
  }

  /** Resolves to the number of joins and leaves. Ends early when aborted, or when the segment changes meanwhile. */
  return async (rule: Rule, abort?: AbortSignal): Promise<MembershipChange> => {
    let [added, removed] = [0, 0]
    let isStale = false
    const size = createSliceSize()
    const range = await contactRangeOf(store.read, rule.projectId)
    const match = await matchSql(store.read, rule, clock.now())
    await mapConcurrent(windowsOf(range, rowsPerStep), windowsAtOnce, async (window) => {
      if (isStale || abort?.aborted) return
      const differing = await listDiffering(range, window, rule, match)
      while (differing.length > 0 && !isStale && !abort?.aborted) {
        const slice = differing.splice(0, size.current())
        const change = await store.write(rule.projectId, async (unit) => {
          const startedAt = performance.now()
          const recorded = await record(unit, rule, slice)
          size.took(performance.now() - startedAt)
          return recorded
        })
        isStale ||= change === undefined
        added += change?.added ?? 0
        removed += change?.removed ?? 0
        await yieldToEventLoop()
      }
    })
    if (!isStale && !abort?.aborted) triggers.settled(rule)
    return { added, removed }
  }
}

export type Recompute = ReturnType<typeof createRecompute>
