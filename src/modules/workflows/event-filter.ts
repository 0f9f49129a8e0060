import { type Condition, matches, parseCondition } from "../../conditions/index.ts"
import type { Fault } from "../../kernel/errors.ts"
import { isObject, type JsonObject } from "../../kernel/json.ts"

/* The `filter` of a WAIT_FOR_EVENT step: a condition on the data of the awaited event (contract B5.4.10). */

const path = "config.filter"
const prefix = "event."

/** No condition has more levels, so faults are found above those that are left as they are. */
const maxLevels = 11

/** The filter with its fields as conditions know them: paths of the event's data are compared like those of `data`. */
function onData(sent: unknown, levels: number): unknown {
  if (levels === 0 || !isObject(sent) || !Array.isArray(sent.groups)) return sent
  return { ...sent, groups: sent.groups.map((group: unknown) => groupOnData(group, levels)) }
}

function groupOnData(group: unknown, levels: number): unknown {
  if (!isObject(group)) return group
  const filters = Array.isArray(group.filters) ? group.filters.map(filterOnData) : group.filters
  return { ...group, filters, conditions: onData(group.conditions, levels - 1) }
}

function filterOnData(filter: unknown): unknown {
  if (!isObject(filter) || typeof filter.field !== "string") return filter
  // Other fields are those of no event.
  const field = filter.field.startsWith(prefix) ? `data.${filter.field.slice(prefix.length)}` : ""
  return { ...filter, field }
}

const parse = (filter: unknown) => parseCondition(onData(filter, maxLevels), path)

export function eventFilterFaults(filter: unknown): readonly Fault[] {
  const parsed = parse(filter)
  return "faults" in parsed ? parsed.faults : []
}

/** Memory: what a filter was parsed to, as long as its config is in memory; configs are not changed in place. */
const parsed = new WeakMap<object, Condition | undefined>()

function conditionOf(filter: object): Condition | undefined {
  if (parsed.has(filter)) return parsed.get(filter)
  const found = parse(filter)
  const condition = "tree" in found ? found.tree : undefined
  parsed.set(filter, condition)
  return condition
}

/** A filter sees nothing but the data of the event. */
const noContact = {
  email: "",
  subscribed: false,
  createdAt: 0,
  updatedAt: 0,
  lastEvent: () => null,
  lastMail: () => null,
  inSegment: () => null,
}

/**
 * Whether an event ends the wait of a step with this filter, at the instant `now`. Without a filter every event does; with
 * one that is not valid, which no stored config has, none does.
 */
export function matchesEvent(filter: unknown, data: JsonObject, now: number): boolean {
  if (!isObject(filter)) return filter === undefined || filter === null
  const condition = conditionOf(filter)
  return condition !== undefined && matches(condition, { ...noContact, data }, now)
}
