import { type Column, type SQL, sql } from "drizzle-orm"
import { day } from "../kernel/clock.ts"
import {
  type Comparison,
  comparesJson,
  comparesJsonTime,
  equalsJson,
  holdsText,
  isFlag,
  isJsonPresent,
  jsonContains,
  jsonPath,
  mayEqualJson,
} from "../store/dialect.ts"
import { startOfDay } from "./dates.ts"
import type { Filter } from "./filter.ts"
import type { Activity, Expected, OrderTest, Predicate } from "./operators.ts"
import type { Condition, Group } from "./tree.ts"

/** The columns of the contact that is evaluated, and its related rows as SQL that is never null. */
export interface SqlSubject {
  readonly email: Column
  readonly subscribed: Column
  readonly createdAt: Column
  readonly updatedAt: Column
  readonly data: Column
  /** Whether the contact has an event of that name stored at or after `since`, in ms; null: ever. */
  eventSince(name: string, since: number | null): SQL
  /** Whether a mail of the contact has a time of that kind at or after `since`, in ms; null: ever. */
  mailSince(activity: Activity, since: number | null): SQL
  /** Whether the contact is in the segment; null when the segment is deleted. */
  memberOf(segmentId: string): SQL | null
}

/** Whether a contact matches a condition at the instant `now`, never null; agrees with `matches` (contract B2.4). */
export const toSql = (tree: Condition, subject: SqlSubject, now: number): SQL => rootPart(tree, subject, now).sql

/** A piece of SQL and the cost of its evaluation. */
interface Part {
  readonly sql: SQL
  readonly cost: Cost
}

/** 0: columns of the row; 1: the text of its JSON; 2: its JSON; 3: other tables. */
type Cost = 0 | 1 | 2 | 3

const costs: Record<Exclude<Filter["of"], "data">, Cost> = {
  never: 0,
  email: 0,
  subscribed: 0,
  createdAt: 0,
  updatedAt: 0,
  event: 3,
  mail: 3,
  segment: 3,
}

const costOf = (filter: Filter): Cost => {
  if (filter.of !== "data") return costs[filter.of]
  return isFoundInText(filter) ? 1 : 2
}

/** Puts cheap parts first, because evaluation stops at the part that decides. */
function join(parts: readonly Part[], word: Condition["logic"]): Part {
  const [first, ...others] = [...parts].sort((one, other) => one.cost - other.cost)
  if (first === undefined) throw new Error("A root must have a group, and a group a filter or a root")
  if (others.length === 0) return first
  const all = [first, ...others].map((part) => part.sql)
  return { sql: sql`(${sql.join(all, sql.raw(` ${word} `))})`, cost: others.at(-1)?.cost ?? first.cost }
}

const rootPart = ({ logic, groups }: Condition, subject: SqlSubject, now: number): Part =>
  join(
    groups.map((group) => groupPart(group, subject, now)),
    logic,
  )

function groupPart({ filters, conditions }: Group, subject: SqlSubject, now: number): Part {
  const parts = filters.map((filter) => ({ sql: filterSql(filter, subject, now), cost: costOf(filter) }))
  return join(conditions === null ? parts : [...parts, rootPart(conditions, subject, now)], "AND")
}

function filterSql(filter: Filter, subject: SqlSubject, now: number): SQL {
  switch (filter.of) {
    case "never":
      return never
    case "email":
      return expected(filter.expects, ofAddress(subject.email, filter))
    case "subscribed":
      return expected(filter.expects, isFlag(subject.subscribed, filter.value))
    case "createdAt":
    case "updatedAt":
      return expected(filter.expects, ofTime(subject[filter.of], filter, now))
    case "data":
      return ofValue(subject.data, filter, now)
    case "event":
      return ofLast(filter, (since) => subject.eventSince(filter.name, since), now)
    case "mail":
      return ofLast(filter, (since) => subject.mailSince(filter.activity, since), now)
    case "segment": {
      const member = subject.memberOf(filter.id)
      return member === null ? never : expected(filter.expects, member)
    }
  }
}

const never = sql`FALSE`

/** Whether a result that is never null is the expected one. */
const expected = (expects: Expected, answer: SQL): SQL => (expects === "true" ? answer : sql`NOT (${answer})`)

/** Whether a result that is null where there is nothing to test is the expected one. */
const expectedOrNull = (expects: Expected, answer: SQL): SQL => sql`(${answer} IS ${sql.raw(expects.toUpperCase())})`

type PredicateOn<Kind extends Predicate["of"]> = Extract<Predicate, { of: Kind }>

const ofAddress = (column: Column, { test, value }: PredicateOn<"email">): SQL =>
  test === "equal" ? sql`${column} = ${value}` : holdsText(column, value)

function ofTime(column: Column, { test, value }: PredicateOn<"createdAt" | "updatedAt">, now: number): SQL {
  if (test === "since") return sql`${column} >= ${now - value}`
  if (test !== "equal") return sql`${column} ${sql.raw(signs[test])} ${value}`
  const start = startOfDay(value)
  return sql`(${column} >= ${start} AND ${column} < ${start + day})`
}

const signs: Record<OrderTest, Comparison> = { above: ">", below: "<", atLeast: ">=", atMost: "<=" }

type ValueFilter = PredicateOn<"data"> & { readonly expects: Expected }

/** Whether the text of a document shows for most contacts that they do not match. */
const isFoundInText = ({ test, expects }: ValueFilter): boolean => test === "equal" && expects === "true"

function ofValue(data: Column, filter: ValueFilter, now: number): SQL {
  const { expects } = filter
  const path = jsonPath(filter.path)
  switch (filter.test) {
    case "present":
      return expected(expects, isJsonPresent(data, path))
    case "equal": {
      const isEqual = expectedOrNull(expects, equalsJson(data, path, filter.value))
      if (!isFoundInText(filter)) return isEqual
      return sql`(${mayEqualJson(data, filter.path.at(-1) ?? "", filter.value)} AND ${isEqual})`
    }
    case "contains":
      return expectedOrNull(expects, jsonContains(data, path, filter.value))
    case "since":
      return expectedOrNull("true", comparesJsonTime(data, path, expects === "true" ? ">=" : "<", now - filter.value))
    default:
      return expectedOrNull(expects, comparesJson(data, path, signs[filter.test], filter.value))
  }
}

/** `since` is whether there is one at or after a time; with null, whether there is one at all. */
function ofLast(
  { expects, ...predicate }: PredicateOn<"event" | "mail"> & { readonly expects: Expected },
  since: (at: number | null) => SQL,
  now: number,
): SQL {
  if (predicate.test === "happened") return expected(expects, since(null))
  const lately = since(now - predicate.value)
  return expects === "false" ? sql`(${since(null)} AND NOT (${lately}))` : expected(expects, lately)
}
