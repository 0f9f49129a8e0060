import { and, asc, type SQL, sql } from "drizzle-orm"
import type { Engine } from "../../../engine.ts"
import { yieldToEventLoop } from "../../../kernel/event-loop.ts"
import type { Db } from "../../../store/database.ts"
import { isOneOf } from "../../../store/dialect.ts"
import type { ReadPoolQuery } from "../../../store/engine.ts"
import type { Unit } from "../../../store/writer.ts"
import { contactTable } from "../../contacts/index.ts"
import { whoFits } from "../evaluate/belongs.ts"
import { sideBySide } from "../evaluate/side-by-side.ts"
import type { Trees } from "../evaluate/trees.ts"
import { askedOf, isWithin, type Reach, reachOf, type Window, windowsOf } from "../evaluate/windows.ts"
import type { MemberMoves } from "../members/moves.ts"
import { isMember } from "../members/store.ts"
import { isTracked } from "../rules.ts"
import { findRule, type Rule } from "../store.ts"

/** Contacts looked at by one read aside. */
const looks = 25_000
/** Contacts whose membership one unit of work changes: some milliseconds with their events. */
const slice = 500

export interface Moved {
  readonly added: number
  readonly removed: number
}

interface Parts extends Pick<Engine, "store" | "clock"> {
  readonly trees: Trees
  readonly moves: MemberMoves
}

/**
 * Makes the recorded membership of a tracked segment what its condition says now. Windows of contacts are compared aside,
 * and those that differ are looked at again in the unit that records it: nobody joins or leaves twice, whatever happens
 * at the same time.
 */
export function recomputation({ store, clock, trees, moves }: Parts) {
  /** Asks a window for those who fit and are not recorded, or are recorded and do not fit, by their `seq`. */
  async function askForDiffering(reach: Reach, rule: Rule): Promise<(window: Window) => ReadPoolQuery> {
    const who = await whoOf(store.read, rule, clock.now())
    const query = store.read
      .select({ seq: contactTable.seq })
      .from(contactTable)
      .where(and(isWithin(reach), sql`(${who}) <> (${isMember(store.read, rule.id)})`))
      .orderBy(asc(contactTable.seq))
    return askedOf(query)
  }

  /** Records what is true of some contacts now; undefined when the segment is not what it was when they were compared. */
  async function settle(unit: Unit, before: Rule, seqs: readonly number[]): Promise<Moved | undefined> {
    const rule = await findRule(unit.db, before.projectId, before.id)
    if (rule === undefined || !isTracked(rule) || rule.condition !== before.condition) return undefined
    const found = await listFitting(unit.db, seqs, await whoOf(unit.db, rule, unit.now))
    const idsOf = (fits: boolean) => found.filter((one) => one.fits === fits).map(({ id }) => id)
    return { added: await moves.join(unit, rule, idsOf(true)), removed: await moves.leave(unit, rule, idsOf(false)) }
  }

  /** Those of some contacts that there are, and whether each fits. */
  async function listFitting(db: Db, seqs: readonly number[], who: SQL): Promise<{ id: string; fits: boolean }[]> {
    const { id, seq } = contactTable
    const query = db
      .select({ id, fits: sql`(${who})`.mapWith(Boolean) })
      .from(contactTable)
      .where(isOneOf(seq, sql.placeholder("seqs")))
    return query.prepare().execute({ seqs: JSON.stringify(seqs) })
  }

  const whoOf = (db: Db, rule: Rule, now: number): Promise<SQL> =>
    whoFits(db, rule.projectId, rule.condition ?? "", trees, now)

  /** Resolves to who moved. It ends early when the signal aborts, or when the segment changes meanwhile. */
  return async (rule: Rule, signal?: AbortSignal): Promise<Moved> => {
    let [added, removed] = [0, 0]
    const reach = await reachOf(store.read, rule.projectId)
    const query = await askForDiffering(reach, rule)
    await sideBySide(windowsOf(reach, looks), store.readPool.width, async (window) => {
      const differing = (await store.readPool.read<{ seq: number }>(query(window))).map(({ seq }) => seq)
      for (let from = 0; from < differing.length; from += slice) {
        if (signal?.aborted) return false
        const moved = await store.write(rule.projectId, (unit) =>
          settle(unit, rule, differing.slice(from, from + slice)),
        )
        if (moved === undefined) return false
        added += moved.added
        removed += moved.removed
        await yieldToEventLoop()
      }
      return !signal?.aborted
    })
    return { added, removed }
  }
}

export type Recompute = ReturnType<typeof recomputation>
