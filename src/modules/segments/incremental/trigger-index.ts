import type { Db } from "../../../store/database.ts"
import type { Unit } from "../../../store/writer.ts"
import type { Tree, Trees } from "../evaluate/trees.ts"
import { isSegmentEvent, isTracked } from "../rules.ts"
import { listAllTracked, type Rule } from "../store.ts"
import type { Segment } from "../table.ts"

/** What can make a contact join or leave a tracked segment of one project. */
interface Triggers {
  /** Every event counts where a condition depends on the time or on another segment, or members are still to be found. */
  readonly anyEvent: boolean
  readonly mail: boolean
  readonly events: ReadonlySet<string>
}

/** The conditions of a tracked segment: more than one while a change of it is not yet committed. */
type Conditions = readonly Tree[]

/**
 * Which changes and events can affect tracked segments. Memory: a copy of the segment table for `Subscriber.concerns`,
 * which must answer without a query. It is updated before the commit and corrected after it, so within this process it
 * may answer true unnecessarily but never false by mistake. A copy in another process may miss a change of a segment;
 * the next recompute of all segments corrects what that copy missed (contract B3.4.3).
 */
export function createTriggerIndex(trees: Trees) {
  const projects = new Map<string, Map<string, Conditions>>()
  const triggersByProject = new Map<string, Triggers>()
  /**
   * The conditions by which members have not been looked for since they were set, of each project by segment: contacts
   * may match them and not be recorded. Not known of those before the start of the process, which are computed soon.
   */
  const unsettled = new Map<string, Map<string, string>>()

  function settle(projectId: string, id: string): void {
    const segments = unsettled.get(projectId)
    if (segments?.delete(id) && segments.size === 0) unsettled.delete(projectId)
    triggersByProject.delete(projectId)
  }

  function unsettle(projectId: string, id: string, condition: string): void {
    unsettled.set(projectId, (unsettled.get(projectId) ?? new Map<string, string>()).set(id, condition))
    triggersByProject.delete(projectId)
  }

  function put(projectId: string, id: string, conditions: Conditions): void {
    const segments = projects.get(projectId) ?? new Map<string, Conditions>()
    if (conditions.length > 0) segments.set(id, conditions)
    else segments.delete(id)
    if (segments.size > 0) projects.set(projectId, segments)
    else projects.delete(projectId)
    triggersByProject.delete(projectId)
  }

  function triggersOf(projectId: string): Triggers | undefined {
    const segments = projects.get(projectId)
    if (segments === undefined) return undefined
    const cached = triggersByProject.get(projectId)
    if (cached) return cached
    const needs = [...segments.values()].flatMap((conditions) => conditions.map((tree) => tree.needs))
    const triggers = {
      anyEvent: unsettled.has(projectId) || needs.some(({ clock, segments }) => clock || segments.size > 0),
      mail: needs.some(({ activities }) => activities.size > 0),
      events: new Set(needs.flatMap(({ events }) => [...events])),
    }
    triggersByProject.set(projectId, triggers)
    return triggers
  }

  const conditionsOf = (segment: Pick<Segment, "type" | "trackMembership">, text: string | null): Conditions =>
    isTracked(segment) && text !== null ? [trees(text)] : []

  return {
    /** Called once, before the first request. */
    async open(db: Db): Promise<void> {
      for (const rule of await listAllTracked(db)) put(rule.projectId, rule.id, conditionsOf(rule, rule.condition))
    },

    /** Adds or updates a segment as this unit stores it. */
    update(unit: Unit, segment: Segment): void {
      const { projectId, id } = segment
      const condition = segment.condition && JSON.stringify(segment.condition)
      const conditions = conditionsOf(segment, condition)
      const known = projects.get(projectId)?.get(id) ?? []
      const isNew = conditions.some((tree) => !known.includes(tree))
      put(projectId, id, [...known, ...conditions])
      unit.afterCommit(() => {
        put(projectId, id, conditions)
        if (condition === null || conditions.length === 0) settle(projectId, id)
        else if (isNew) unsettle(projectId, id, condition)
      })
    },

    /** All contacts have been evaluated by this condition of a tracked segment. */
    settled({ projectId, id, condition }: Pick<Rule, "projectId" | "id" | "condition">): void {
      if (unsettled.get(projectId)?.get(id) === condition) settle(projectId, id)
    },

    /** Removes a segment that this unit deletes. */
    drop(unit: Unit, { projectId, id }: Pick<Segment, "projectId" | "id">): void {
      unit.afterCommit(() => {
        put(projectId, id, [])
        settle(projectId, id)
      })
    },

    /** Removes all segments of a project that this unit empties. */
    erase(unit: Unit, projectId: string): void {
      unit.afterCommit(() => {
        projects.delete(projectId)
        unsettled.delete(projectId)
        triggersByProject.delete(projectId)
      })
    },

    /** Whether a change of a contact can make it join or leave a tracked segment of the project. */
    concernsChange: (projectId: string): boolean => projects.has(projectId),

    /** Whether an event of a contact can (contract B3.4.3). */
    concernsEvent(projectId: string, name: string): boolean {
      const triggers = triggersOf(projectId)
      if (triggers === undefined || isSegmentEvent(name)) return false
      return triggers.anyEvent || triggers.events.has(name) || (triggers.mail && name.startsWith("email."))
    },
  }
}

export type TriggerIndex = ReturnType<typeof createTriggerIndex>
