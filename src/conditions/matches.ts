import { isObject, type Json, type JsonObject } from "../kernel/json.ts"
import { parseStamp, startOfDay } from "./dates.ts"
import type { Filter } from "./filter.ts"
import type { Activity, OrderTest, Question, Wanted } from "./operators.ts"
import { compareText, foldCase, holds } from "./text.ts"
import type { Condition, Group } from "./tree.ts"

/** What is known of one contact. `needsOf` tells what of it a condition asks for. Times are milliseconds. */
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

/** Whether a contact meets a condition at the instant `now`: what `toSql` says of its row (contract B2.4). */
export const matches = ({ logic, groups }: Condition, facts: Facts, now: number): boolean =>
  logic === "AND"
    ? groups.every((group) => groupMatches(group, facts, now))
    : groups.some((group) => groupMatches(group, facts, now))

const groupMatches = ({ filters, conditions }: Group, facts: Facts, now: number): boolean =>
  filters.every((filter) => filterMatches(filter, facts, now)) &&
  (conditions === null || matches(conditions, facts, now))

const filterMatches = (filter: Filter, facts: Facts, now: number): boolean =>
  filter.of !== "nobody" && isWanted(filter.wants, answerTo(filter, facts, now))

/** Yes, no, or null where there is nothing to test. */
type Answer = boolean | null

function isWanted(wants: Wanted, answer: Answer): boolean {
  if (wants === "not true") return answer !== true
  return answer === (wants === "true")
}

function answerTo(asked: Question, facts: Facts, now: number): Answer {
  switch (asked.of) {
    case "email":
      return asked.test === "equal" ? facts.email === asked.value : holds(facts.email, asked.value)
    case "subscribed":
      return facts.subscribed === asked.value
    case "createdAt":
    case "updatedAt":
      return ofTime(facts[asked.of], asked, now)
    case "data":
      return ofValue(valueAt(facts.data, asked.path), asked, now)
    case "event":
      return ofLast(facts.lastEvent(asked.name), asked, now)
    case "mail":
      return ofLast(facts.lastMail(asked.activity), asked, now)
    case "segment":
      return facts.inSegment(asked.id)
  }
}

type Asked<Kind extends Question["of"]> = Extract<Question, { of: Kind }>

function ofTime(at: number, { test, value }: Asked<"createdAt" | "updatedAt">, now: number): Answer {
  if (test === "equal") return startOfDay(at) === startOfDay(value)
  if (test === "since") return at >= now - value
  return isInOrder(test, at - value)
}

/** The latest time is enough for every test: when it is before an instant, all are. */
function ofLast(last: number | null, asked: Asked<"event" | "mail">, now: number): Answer {
  if (asked.test === "happened") return last !== null
  return last === null ? null : last >= now - asked.value
}

function ofValue(stored: Json, asked: Asked<"data">, now: number): Answer {
  if (asked.test === "present") return stored !== null
  if (stored === null) return null
  switch (asked.test) {
    case "equal":
      return stored === asked.value
    case "contains":
      return typeof stored === "string" && holds(foldCase(stored), asked.value)
    case "since": {
      const at = typeof stored === "string" ? parseStamp(stored) : undefined
      return at === undefined ? null : at >= now - asked.value
    }
    default:
      return isInOrder(asked.test, compare(stored, asked.value))
  }
}

/** Undefined for values that are in no order: of other types, or of different ones. */
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
