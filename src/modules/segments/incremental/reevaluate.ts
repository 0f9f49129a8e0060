import { matches } from "../../../conditions/index.ts"
import type { Unit } from "../../../store/writer.ts"
import { type Dependencies, dependenciesOf } from "../evaluate/dependencies.ts"
import type { Tree, Trees } from "../evaluate/trees.ts"
import type { Membership } from "../members/membership.ts"
import { listMemberships } from "../members/store.ts"
import { isRecorded } from "../rules.ts"
import { listTracked, type Rule } from "../store.ts"
import { findContact, lastTimes } from "./facts.ts"

/** The tracked segments of a project, and the facts of a contact that their conditions need. */
interface Plan {
  readonly tracked: readonly { readonly rule: Rule; readonly tree: Tree }[]
  readonly dependencies: Dependencies
  readonly events: ReadonlySet<string>
  readonly mails: boolean
}

/** Evaluates all tracked segments of a project for some contacts, and records who joins and who leaves. */
export function createReevaluate(trees: Trees, membership: Membership) {
  async function planFor(unit: Unit, projectId: string): Promise<Plan> {
    const tracked = (await listTracked(unit.db, projectId)).flatMap((rule) =>
      rule.condition === null ? [] : [{ rule, tree: trees(rule.condition) }],
    )
    const roots = tracked.map(({ tree }) => tree)
    const dependencies = await dependenciesOf(unit.db, projectId, roots, trees)
    const all = [...roots, ...[...dependencies.values()].flatMap((rule) => conditionOf(rule) ?? [])]
    return {
      tracked,
      dependencies,
      events: new Set(all.flatMap(({ needs }) => [...needs.events])),
      mails: all.some(({ needs }) => needs.activities.size > 0),
    }
  }

  /** The condition to evaluate for a segment that others name; undefined where its membership is recorded. */
  const conditionOf = (rule: Rule): Tree | undefined =>
    isRecorded(rule) || rule.condition === null ? undefined : trees(rule.condition)

  async function reevaluateOne(unit: Unit, projectId: string, contactId: string, plan: Plan): Promise<void> {
    const contact = await findContact(unit.db, projectId, contactId)
    if (contact === undefined) return
    const times = await lastTimes(unit.db, contactId, plan.events, plan.mails)
    // Read before anything changes: other segments see these joins and leaves only at the next evaluation.
    const recorded = await listMemberships(unit.db, contactId)
    const evaluated = new Map<string, boolean>()
    const facts = { ...contact, ...times, inSegment }

    function inSegment(id: string): boolean | null {
      const rule = plan.dependencies.get(id)
      if (rule === undefined) return null
      const tree = conditionOf(rule)
      if (tree === undefined) return recorded.has(id)
      const known = evaluated.get(id)
      if (known !== undefined) return known
      const isIn = matches(tree.condition, facts, unit.now)
      evaluated.set(id, isIn)
      return isIn
    }

    for (const { rule, tree } of plan.tracked) {
      const isIn = matches(tree.condition, facts, unit.now)
      if (isIn === recorded.has(rule.id)) continue
      await membership[isIn ? "join" : "leave"](unit, rule, [contactId])
    }
  }

  return async (unit: Unit, projectId: string, contactIds: Iterable<string>): Promise<void> => {
    const plan = await planFor(unit, projectId)
    if (plan.tracked.length === 0) return
    for (const contactId of contactIds) await reevaluateOne(unit, projectId, contactId, plan)
  }
}

export type Reevaluate = ReturnType<typeof createReevaluate>
