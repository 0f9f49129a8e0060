import type { FieldKind } from "./fields.ts"

/** The operand of an operator: a value, a span before now, or nothing. */
type Needs = "value" | "span" | "nothing"

const spans = ["within", "olderThan", "triggeredWithin", "triggeredOlderThan", "notTriggeredWithin"]
const bare = ["exists", "notExists", "triggered", "notTriggered", "memberOfSegment", "notMemberOfSegment"]

export const needsOf = (operator: string): Needs =>
  spans.includes(operator) ? "span" : bare.includes(operator) ? "nothing" : "value"

export const units = ["minutes", "hours", "days"] as const
export type Unit = (typeof units)[number]
export const mostUnits = 100_000

const short: Readonly<Record<string, string>> = { gt: "greaterThan", lt: "lessThan" }
export const canonical = (operator: string): string =>
  Object.hasOwn(short, operator) ? (short[operator] ?? operator) : operator

const comparing = ["greaterThan", "greaterThanOrEqual", "lessThan", "lessThanOrEqual"]
const equal = ["equals", "notEquals"]
const containing = ["contains", "notContains"]
const being = ["exists", "notExists"]
const happening = ["triggeredWithin", "triggered", "notTriggeredWithin", "notTriggered", "triggeredOlderThan"]

/** The operators of each row of contract B2.2, the common ones first. */
const rows: Readonly<Record<FieldKind, readonly string[]>> = {
  email: ["contains", "notContains", ...equal],
  subscribed: equal,
  time: ["within", "olderThan", ...comparing, ...equal],
  data: [...equal, ...containing, ...comparing, ...being, "within", "olderThan"],
  event: happening,
  activity: happening,
  segment: ["memberOfSegment", "notMemberOfSegment"],
}

export const operatorsOf = (kind: FieldKind): readonly string[] => rows[kind]

/** The types of the field catalogue; undefined for a field it does not list. */
export type DataType = "string" | "number" | "boolean" | "date" | undefined

const fitting: Readonly<Record<NonNullable<DataType>, readonly string[]>> = {
  string: [...equal, ...containing, ...being],
  number: [...equal, ...comparing, ...being],
  boolean: [...equal, ...being],
  date: ["within", "olderThan", ...comparing, ...equal, ...being],
}

/** The operators that fit a field of this type, and in any case the present one. */
export function operatorsFor(kind: FieldKind, type: DataType, present: string): readonly string[] {
  const offered = kind === "data" && type ? fitting[type] : rows[kind]
  return offered.includes(present) || !rows[kind].includes(present) ? offered : [...offered, present]
}

/** Operators in words, between a field and its value. */
export const operatorTexts: Readonly<Record<string, string>> = {
  equals: "is",
  notEquals: "is not",
  contains: "contains",
  notContains: "does not contain",
  greaterThan: "is more than",
  greaterThanOrEqual: "is at least",
  lessThan: "is less than",
  lessThanOrEqual: "is at most",
  exists: "has a value",
  notExists: "has no value",
  within: "in the last",
  olderThan: "more than",
  triggered: "happened",
  notTriggered: "never happened",
  triggeredWithin: "happened in the last",
  notTriggeredWithin: "did not happen in the last",
  triggeredOlderThan: "last happened more than",
  memberOfSegment: "is a member",
  notMemberOfSegment: "is not a member",
}

/** Operators in words where the value is a time. */
export const timeOperatorTexts: Readonly<Record<string, string>> = {
  equals: "on",
  notEquals: "not on",
  greaterThan: "after",
  greaterThanOrEqual: "at or after",
  lessThan: "before",
  lessThanOrEqual: "at or before",
}

const activityTexts: Readonly<Record<string, string>> = {
  triggered: "at least once",
  notTriggered: "never",
  triggeredWithin: "in the last",
  notTriggeredWithin: "not in the last",
  triggeredOlderThan: "last more than",
}

/** The text of an operator in the select of its rule. */
export function formatOperator(operator: string, kind: FieldKind, type: DataType): string {
  const texts =
    kind === "activity" ? activityTexts : kind === "time" || type === "date" ? timeOperatorTexts : operatorTexts
  return texts[operator] ?? operatorTexts[operator] ?? operator
}

/** The word after the unit: `more than 30 days ago`. */
export const behindSpan = (operator: string): string => (/OlderThan$|^olderThan$/.test(operator) ? "ago" : "")
