import { isObject, type Json, type JsonObject } from "../kernel/json.ts"
import { foldCase } from "../store/letter-cases.ts"
import { parseStamp, startOfDay } from "./dates.ts"
import type { Filter } from "./filter.ts"
import type { Activity, Expected, OrderTest, Predicate } from "./operators.ts"
import { compareText, holds } from "./text.ts"
import type { Condition, Group } from "./tree.ts"

/** The facts about one contact; `needsOf` lists those that a condition needs. Times are milliseconds. */
export interface Facts {
  readonly email: string
  readonly subscribed: boolean
  readonly createdAt: number
  readonly updatedAt: number
  readonly data: JsonObject
  /** When the contact's last event of that name was stored; null without one. */
  lastEvent(name: string): number | null
  /** The latest time of that kind among the contact's mails; null without one. */
  lastMail(activity: Activity): number | null
  /** Whether the contact is in the segment; null when the segment is deleted. */
  inSegment(segmentId: string): boolean | null
}

/** Whether a contact matches a condition at the instant `now`; agrees with `toSql` (contract B2.4). */
export const matches = ({ logic, groups }: Condition, facts: Facts, now: number): boolean =>
  logic === "AND"
    ? groups.every((group) => groupMatches(group, facts, now))
    : groups.some((group) => groupMatches(group, facts, now))

const groupMatches = ({ filters, conditions }: Group, facts: Facts, now: number): boolean =>
  filters.every((filter) => filterMatches(filter, facts, now)) &&
  (conditions === null || matches(conditions, facts, now))

const filterMatches = (filter: Filter, facts: Facts, now: number): boolean =>
  filter.of !== "never" && isExpected(filter.expects, resultOf(filter, facts, now))

/** Null where there is nothing to test. */
type Result = boolean | null

function isExpected(expects: Expected, result: Result): boolean {
  if (expects === "not true") return result !== true
  return result === (expects === "true")
}

function resultOf(predicate: Predicate, facts: Facts, now: number): Result {
  switch (predicate.of) {
    case "email":
      return predicate.test === "equal" ? facts.email === predicate.value : holds(facts.email, predicate.value)
    case "subscribed":
      return facts.subscribed === predicate.value
    case "createdAt":
    case "updatedAt":
      return ofTime(facts[predicate.of], predicate, now)
    case "data":
      return ofValue(valueAt(facts.data, predicate.path), predicate, now)
    case "event":
      return ofLast(facts.lastEvent(predicate.name), predicate, now)
    case "mail":
      return ofLast(facts.lastMail(predicate.activity), predicate, now)
    case "segment":
      return facts.inSegment(predicate.id)
  }
}

type PredicateOn<Kind extends Predicate["of"]> = Extract<Predicate, { of: Kind }>

function ofTime(at: number, { test, value }: PredicateOn<"createdAt" | "updatedAt">, now: number): Result {
  if (test === "equal") return startOfDay(at) === startOfDay(value)
  if (test === "since") return at >= now - value
  return isInOrder(test, at - value)
}

/** The latest time suffices: if it is before an instant, all times are. */
function ofLast(last: number | null, predicate: PredicateOn<"event" | "mail">, now: number): Result {
  if (predicate.test === "happened") return last !== null
  return last === null ? null : last >= now - predicate.value
}

function ofValue(stored: Json, predicate: PredicateOn<"data">, now: number): Result {
  if (predicate.test === "present") return stored !== null
  if (stored === null) return null
  switch (predicate.test) {
    case "equal":
      return stored === predicate.value
    case "contains":
      return typeof stored === "string" && holds(foldCase(stored), predicate.value)
    case "since": {
      const at = typeof stored === "string" ? parseStamp(stored) : undefined
      return at === undefined ? null : at >= now - predicate.value
    }
    default:
      return isInOrder(predicate.test, compare(stored, predicate.value))
  }
}

/** Undefined for values without an order: of different types, or of other types than string and number. */
function compare(stored: Json, value: string | number): number | undefined {
  if (typeof stored === "string" && typeof value === "string") return compareText(stored, value)
  return typeof stored === "number" && typeof value === "number" ? Math.sign(stored - value) : undefined
}

function isInOrder(test: OrderTest, order: number | undefined): boolean {
  if (order === undefined) return false
  switch (test) {
    case "above":
      return order > 0
    case "below":
      return order < 0
    case "atLeast":
      return order >= 0
    case "atMost":
      return order <= 0
  }
}

/** The value that own keys lead to, through objects only; null where there is none. */
function valueAt(data: JsonObject, path: readonly string[]): Json {
  let value: Json = data
  for (const key of path) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return null
    value = (value as JsonObject)[key] ?? null
  }
  return value
}
