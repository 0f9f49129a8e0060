import type { Activity, FieldKind } from "./operators.ts"
import { type Condition, filtersOf } from "./tree.ts"

/** What has to be known of a contact before a condition can be evaluated, and what can change its answer. */
export interface Needs {
  /** Fields outside the data. */
  readonly columns: ReadonlySet<Column>
  /** Paths behind `data.`. */
  readonly fields: ReadonlySet<string>
  readonly events: ReadonlySet<string>
  readonly activities: ReadonlySet<Activity>
  readonly segments: ReadonlySet<string>
  /** Whether the answer can change by itself as time passes. */
  readonly clock: boolean
}

type Column = Extract<FieldKind, "email" | "subscribed" | "createdAt" | "updatedAt">

/** Fields that are compared with null, and so match nobody, are among them: the condition does name them. */
export function needsOf(tree: Condition): Needs {
  const columns = new Set<Column>()
  const fields = new Set<string>()
  const events = new Set<string>()
  const activities = new Set<Activity>()
  const segments = new Set<string>()
  let clock = false
  for (const filter of filtersOf(tree)) {
    const place = filter.of === "nobody" ? filter.place : filter
    if (place.of === "data") fields.add(place.path.join("."))
    else if (place.of === "event") events.add(place.name)
    else if (place.of === "mail") activities.add(place.activity)
    else if (place.of === "segment") segments.add(place.id)
    else columns.add(place.of)
    if (filter.of !== "nobody") clock ||= filter.test === "since" || filter.test === "happenedSince"
  }
  return { columns, fields, events, activities, segments, clock }
}
