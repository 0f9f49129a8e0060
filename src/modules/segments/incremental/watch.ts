import type { Db } from "../../../store/database.ts"
import type { Unit } from "../../../store/writer.ts"
import type { Tree, Trees } from "../evaluate/trees.ts"
import { isSegmentEvent, isTracked } from "../rules.ts"
import { listAllTracked } from "../store.ts"
import type { Segment } from "../table.ts"

/** What can move contacts in or out of the tracked segments of one project. */
interface Stirring {
  /** Where time decides, or another segment, every event is an occasion to look again. */
  readonly anyEvent: boolean
  readonly mail: boolean
  readonly events: ReadonlySet<string>
}

/** The conditions of a tracked segment: more than one while a change of it may or may not be committed. */
type Conditions = readonly Tree[]

/**
 * What tracked segments have to hear of, kept in memory so that asking costs nothing. It changes ahead of the commit and
 * is put right behind it: it may say yes in vain, and never no (`Subscriber.concerns`).
 */
export function createWatch(trees: Trees) {
  const projects = new Map<string, Map<string, Conditions>>()
  const stirrings = new Map<string, Stirring>()

  function put(projectId: string, id: string, conditions: Conditions): void {
    const segments = projects.get(projectId) ?? new Map<string, Conditions>()
    if (conditions.length > 0) segments.set(id, conditions)
    else segments.delete(id)
    if (segments.size > 0) projects.set(projectId, segments)
    else projects.delete(projectId)
    stirrings.delete(projectId)
  }

  function stirringOf(projectId: string): Stirring | undefined {
    const segments = projects.get(projectId)
    if (segments === undefined) return undefined
    const known = stirrings.get(projectId)
    if (known) return known
    const needs = [...segments.values()].flatMap((all) => all.map((tree) => tree.needs))
    const stirring = {
      anyEvent: needs.some(({ clock, segments }) => clock || segments.size > 0),
      mail: needs.some(({ activities }) => activities.size > 0),
      events: new Set(needs.flatMap(({ events }) => [...events])),
    }
    stirrings.set(projectId, stirring)
    return stirring
  }

  const conditionsOf = (segment: Pick<Segment, "type" | "trackMembership">, text: string | null): Conditions =>
    isTracked(segment) && text !== null ? [trees(text)] : []

  return {
    /** Called once, before the first request. */
    async open(db: Db): Promise<void> {
      for (const rule of await listAllTracked(db)) put(rule.projectId, rule.id, conditionsOf(rule, rule.condition))
    },

    /** Tells of a segment as the unit at hand stores it. */
    heed(unit: Unit, segment: Segment): void {
      const { projectId, id, condition } = segment
      const conditions = conditionsOf(segment, condition && JSON.stringify(condition))
      const known = projects.get(projectId)?.get(id) ?? []
      put(projectId, id, [...known, ...conditions])
      unit.afterCommit(() => put(projectId, id, conditions))
    },

    /** Tells of a segment that the unit at hand deletes. */
    drop(unit: Unit, { projectId, id }: Pick<Segment, "projectId" | "id">): void {
      unit.afterCommit(() => put(projectId, id, []))
    },

    /** Whether a change of a contact can move it in or out of a tracked segment of the project. */
    concernsChange: (projectId: string): boolean => projects.has(projectId),

    /** Whether an event of a contact can (contract B3.4.3). */
    concernsEvent(projectId: string, name: string): boolean {
      const stirring = stirringOf(projectId)
      if (stirring === undefined || isSegmentEvent(name)) return false
      return stirring.anyEvent || stirring.events.has(name) || (stirring.mail && name.startsWith("email."))
    },
  }
}

export type Watch = ReturnType<typeof createWatch>
