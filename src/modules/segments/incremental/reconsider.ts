import { matches } from "../../../conditions/index.ts"
import type { Unit } from "../../../store/writer.ts"
import { type Behind, behindOf } from "../evaluate/behind.ts"
import type { Tree, Trees } from "../evaluate/trees.ts"
import type { MemberMoves } from "../members/moves.ts"
import { listMemberships } from "../members/store.ts"
import { isRecorded } from "../rules.ts"
import { listTracked, type Rule } from "../store.ts"
import { findContact, lastTimes } from "./facts.ts"

/** The tracked segments of a project, and what has to be known of a contact to tell which of them it is in. */
interface Question {
  readonly tracked: readonly { readonly rule: Rule; readonly tree: Tree }[]
  readonly behind: Behind
  readonly events: ReadonlySet<string>
  readonly mails: boolean
}

/** Looks at contacts anew, each against all tracked segments of its project, and records who joins and who leaves. */
export function reconsideration(trees: Trees, moves: MemberMoves) {
  async function questionOf(unit: Unit, projectId: string): Promise<Question> {
    const tracked = (await listTracked(unit.db, projectId)).flatMap((rule) =>
      rule.condition === null ? [] : [{ rule, tree: trees(rule.condition) }],
    )
    const starts = tracked.map(({ tree }) => tree)
    const behind = await behindOf(unit.db, projectId, starts, trees)
    const all = [...starts, ...[...behind.values()].flatMap((rule) => conditionOf(rule) ?? [])]
    return {
      tracked,
      behind,
      events: new Set(all.flatMap(({ needs }) => [...needs.events])),
      mails: all.some(({ needs }) => needs.activities.size > 0),
    }
  }

  /** What is to be evaluated of a segment that others name; nothing where membership is recorded. */
  const conditionOf = (rule: Rule): Tree | undefined =>
    isRecorded(rule) || rule.condition === null ? undefined : trees(rule.condition)

  async function reconsiderOne(unit: Unit, projectId: string, contactId: string, question: Question): Promise<void> {
    const contact = await findContact(unit.db, projectId, contactId)
    if (contact === undefined) return
    const times = await lastTimes(unit.db, contactId, question.events, question.mails)
    // As it was recorded before: what this contact joins and leaves now, other segments see another time.
    const recorded = await listMemberships(unit.db, contactId)
    const found = new Map<string, boolean>()
    const facts = { ...contact, ...times, inSegment }

    function inSegment(id: string): boolean | null {
      const rule = question.behind.get(id)
      if (rule === undefined) return null
      const tree = conditionOf(rule)
      if (tree === undefined) return recorded.has(id)
      const before = found.get(id)
      if (before !== undefined) return before
      const is = matches(tree.condition, facts, unit.now)
      found.set(id, is)
      return is
    }

    for (const { rule, tree } of question.tracked) {
      const fits = matches(tree.condition, facts, unit.now)
      if (fits === recorded.has(rule.id)) continue
      await moves[fits ? "join" : "leave"](unit, rule, [contactId])
    }
  }

  return async (unit: Unit, projectId: string, contactIds: Iterable<string>): Promise<void> => {
    const question = await questionOf(unit, projectId)
    if (question.tracked.length === 0) return
    for (const contactId of contactIds) await reconsiderOne(unit, projectId, contactId, question)
  }
}

export type Reconsider = ReturnType<typeof reconsideration>
