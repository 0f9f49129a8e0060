import type { Db } from "./store/database.ts"

/** A record that others can name: a custom field, an event name, a segment, a template, a sender domain. */
export interface ReferenceTarget {
  readonly kind: "field" | "event" | "segment" | "template" | "domain"
  /** The name of a field (as in `data.plan`) or event, the domain itself, the id of anything else. */
  readonly key: string
}

/** One place that names a target. */
export interface Reference {
  readonly by: "segment" | "campaign" | "workflow" | "workflowStep"
  readonly id: string
  readonly name: string
  /** The record that the place is part of: the workflow of a step. */
  readonly within?: { readonly id: string; readonly name: string }
  /** Whether the target cannot be deleted while this place names it. */
  readonly blocks: boolean
}

/** A module's answer: what of its own names the target. Empty for kinds that it cannot name. */
export type ReferenceSource = (db: Db, projectId: string, target: ReferenceTarget) => Promise<readonly Reference[]>

/**
 * "Who uses this?", asked by a lower module of the higher ones that it does not know. Within a unit of work it is asked
 * with `unit.db`, so that a deletion and the use that prevents it cannot pass each other.
 */
export interface References {
  to: (db: Db, projectId: string, target: ReferenceTarget) => Promise<Reference[]>
  /** Called by the composition root for each module that contributes. */
  add(source: ReferenceSource): void
}

export function createReferences(): References {
  const sources: ReferenceSource[] = []
  return {
    add: (source) => void sources.push(source),
    async to(db, projectId, target) {
      const found: Reference[] = []
      for (const source of sources) found.push(...(await source(db, projectId, target)))
      return found
    },
  }
}
