import type { Activity, FieldKind } from "./operators.ts"
import { type Condition, filtersOf } from "./tree.ts"

/** The facts about a contact that a condition needs, changes of which can change its result. */
export interface Needs {
  /** Core fields. */
  readonly columns: ReadonlySet<Column>
  /** Paths after `data.`. */
  readonly fields: ReadonlySet<string>
  readonly events: ReadonlySet<string>
  readonly activities: ReadonlySet<Activity>
  readonly segments: ReadonlySet<string>
  /** Whether the result can change with time alone. */
  readonly clock: boolean
}

type Column = Extract<FieldKind, "email" | "subscribed" | "createdAt" | "updatedAt">

/** Includes fields that are compared with null, which match no contact: the condition does name them. */
export function needsOf(tree: Condition): Needs {
  const columns = new Set<Column>()
  const fields = new Set<string>()
  const events = new Set<string>()
  const activities = new Set<Activity>()
  const segments = new Set<string>()
  let clock = false
  for (const filter of filtersOf(tree)) {
    const field = filter.of === "never" ? filter.field : filter
    if (field.of === "data") fields.add(field.path.join("."))
    else if (field.of === "event") events.add(field.name)
    else if (field.of === "mail") activities.add(field.activity)
    else if (field.of === "segment") segments.add(field.id)
    else columns.add(field.of)
    if (filter.of !== "never") clock ||= filter.test === "since" || filter.test === "happenedSince"
  }
  return { columns, fields, events, activities, segments, clock }
}
