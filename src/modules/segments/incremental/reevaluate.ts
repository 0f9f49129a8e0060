import { matches } from "../../../conditions/index.ts"
import type { Unit } from "../../../store/writer.ts"
import { findContact } from "../../contacts/index.ts"
import { type Dependencies, dependenciesOf } from "../evaluate/dependencies.ts"
import type { Tree, Trees } from "../evaluate/trees.ts"
import type { Membership, Move } from "../members/membership.ts"
import { listMemberships } from "../members/store.ts"
import { isRecorded } from "../rules.ts"
import { listTracked, type Rule } from "../store.ts"
import { lastTimes } from "./facts.ts"

/** The tracked segments of a project, and the facts of a contact that their conditions need. */
interface Plan {
  readonly tracked: readonly { readonly rule: Rule; readonly tree: Tree }[]
  readonly dependencies: Dependencies
  readonly events: ReadonlySet<string>
  readonly mails: boolean
}

/**
 * Evaluates all tracked segments of a project for some contacts, and records who joins and who leaves. It runs in a unit,
 * for which everybody waits, so it ends when its time is over: what is left is done by the next computation of all
 * segments, on the read pool and with its limits.
 */
export function createReevaluate(trees: Trees, membership: Membership) {
  // The limit guards the other users of the store, so it is measured by the machine's clock.
  const now = () => performance.now()

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

  /** False when the time was over before the end. */
  async function reevaluateOne(
    unit: Unit,
    projectId: string,
    contactId: string,
    { plan, endsAt }: { readonly plan: Plan; readonly endsAt: number },
  ): Promise<boolean> {
    const contact = await findContact(unit.db, projectId, contactId)
    if (contact === undefined) return true
    let isLate = false
    const inTime = () => {
      isLate ||= now() >= endsAt
      return !isLate
    }
    const times = await lastTimes(unit.db, contactId, plan, inTime)
    // Read before anything changes: other segments see these joins and leaves only at the next evaluation.
    const recorded = await listMemberships(unit.db, contactId)
    const evaluated = new Map<string, boolean>()
    const facts = {
      ...contact,
      ...times,
      inSegment,
      get data() {
        // Asked for by each filter on a custom field. Without it the rest takes no time, and its result is not used.
        return inTime() ? contact.data : {}
      },
    }

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

    const moves: Move[] = []
    for (const { rule: segment, tree } of plan.tracked) {
      const isIn = matches(tree.condition, facts, unit.now)
      if (isLate) break
      if (isIn !== recorded.has(segment.id)) moves.push({ segment, kind: isIn ? "entry" : "exit" })
    }
    await membership.move(unit, contact, moves)
    return !isLate
  }

  /** @param ms the most that it may take. False when that was not enough; what was evaluated by then is recorded. */
  return async (unit: Unit, projectId: string, contactIds: Iterable<string>, ms: number): Promise<boolean> => {
    const plan = await planFor(unit, projectId)
    if (plan.tracked.length === 0) return true
    const endsAt = now() + ms
    for (const contactId of contactIds)
      if (!(await reevaluateOne(unit, projectId, contactId, { plan, endsAt }))) return false
    return true
  }
}

export type Reevaluate = ReturnType<typeof createReevaluate>
