import type { Db } from "./store/database.ts"

/** A record that other records can refer to: a custom field, an event name, a segment, a template, a sender domain. */
export interface ReferenceTarget {
  readonly kind: "field" | "event" | "segment" | "template" | "domain"
  /** The name of a field (as in `data.plan`) or event, the domain itself, the id of anything else. */
  readonly key: string
}

/** One reference to a target. */
export interface Reference {
  readonly by: "segment" | "campaign" | "workflow" | "workflowStep"
  readonly id: string
  readonly name: string
  /** The containing record, such as the workflow of a step. */
  readonly within?: { readonly id: string; readonly name: string }
  /** Whether the target cannot be deleted while this reference exists. */
  readonly blocks: boolean
}

/** The references of one module to the target. Empty for kinds that it never refers to. */
export type ReferenceSource = (db: Db, projectId: string, target: ReferenceTarget) => Promise<readonly Reference[]>

/**
 * Answers "who uses this?" for a lower module, which does not know the higher ones. Within a unit of work it is called
 * with `unit.db`, so that a deletion and a new reference to the target cannot overlap.
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
