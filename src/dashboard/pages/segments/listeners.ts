import type { EventUsage } from "../../api/events.ts"

/** The events of a segment's membership (contract B3.4). */
export const membershipEvents = (slug: string): readonly [entry: string, exit: string] => [
  `segment.${slug}.entry`,
  `segment.${slug}.exit`,
]

/** The names of the workflows that events with these usages start or wake, each once. */
export function listenersIn(usages: readonly (EventUsage | null | undefined)[]): readonly string[] {
  const users = usages.flatMap((usage) => usage?.usedInWorkflows ?? [])
  return [...new Map(users.map(({ id, name }) => [id, name])).values()]
}
