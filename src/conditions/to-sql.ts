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
} from "../store/dialect.ts"
import { startOfDay } from "./dates.ts"
import type { Filter } from "./filter.ts"
import type { Activity, OrderTest, Question, Wanted } from "./operators.ts"
import type { Condition, Group } from "./tree.ts"

/** The columns of the contact that is asked about, and questions about what belongs to it: SQL that is never null. */
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

/** What is true of a row when `matches` is true of its contact at the instant `now`; never null (contract B2.4). */
export const toSql = (tree: Condition, subject: SqlSubject, now: number): SQL => rootPart(tree, subject, now).sql

/** A piece of SQL and how dear it is to evaluate. */
interface Part {
  readonly sql: SQL
  readonly cost: Cost
}

/** Of the row itself; of the row's JSON; of other tables. */
type Cost = 0 | 1 | 2

const costs: Record<Filter["of"], Cost> = {
  nobody: 0,
  email: 0,
  subscribed: 0,
  createdAt: 0,
  updatedAt: 0,
  data: 1,
  event: 2,
  mail: 2,
  segment: 2,
}

/** The cheap parts stand first: evaluation ends with the one that decides. */
function join(parts: readonly Part[], word: Condition["logic"]): Part {
  const [first, ...others] = [...parts].sort((one, other) => one.cost - other.cost)
  if (first === undefined) throw new Error("A root has a group, and a group has a filter or a root")
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
  const parts = filters.map((filter) => ({ sql: filterSql(filter, subject, now), cost: costs[filter.of] }))
  return join(conditions === null ? parts : [...parts, rootPart(conditions, subject, now)], "AND")
}

function filterSql(filter: Filter, subject: SqlSubject, now: number): SQL {
  switch (filter.of) {
    case "nobody":
      return nobody
    case "email":
      return wanted(filter.wants, ofAddress(subject.email, filter))
    case "subscribed":
      return wanted(filter.wants, isFlag(subject.subscribed, filter.value))
    case "createdAt":
    case "updatedAt":
      return wanted(filter.wants, ofTime(subject[filter.of], filter, now))
    case "data":
      return ofValue(subject.data, filter, now)
    case "event":
      return ofLast(filter, (since) => subject.eventSince(filter.name, since), now)
    case "mail":
      return ofLast(filter, (since) => subject.mailSince(filter.activity, since), now)
    case "segment": {
      const member = subject.memberOf(filter.id)
      return member === null ? nobody : wanted(filter.wants, member)
    }
  }
}

const nobody = sql`FALSE`

/** An answer that is never null, as it is wanted. */
const wanted = (wants: Wanted, answer: SQL): SQL => (wants === "true" ? answer : sql`NOT (${answer})`)

/** An answer that is null where there is nothing to test, as it is wanted. */
const wantedOrNone = (wants: Wanted, answer: SQL): SQL => sql`(${answer} IS ${sql.raw(wants.toUpperCase())})`

type Asked<Kind extends Question["of"]> = Extract<Question, { of: Kind }>

const ofAddress = (column: Column, { test, value }: Asked<"email">): SQL =>
  test === "equal" ? sql`${column} = ${value}` : holdsText(column, value)

function ofTime(column: Column, { test, value }: Asked<"createdAt" | "updatedAt">, now: number): SQL {
  if (test === "since") return sql`${column} >= ${now - value}`
  if (test !== "equal") return sql`${column} ${sql.raw(signs[test])} ${value}`
  const start = startOfDay(value)
  return sql`(${column} >= ${start} AND ${column} < ${start + day})`
}

const signs: Record<OrderTest, Comparison> = { above: ">", below: "<", atLeast: ">=", atMost: "<=" }

function ofValue(data: Column, filter: Asked<"data"> & { readonly wants: Wanted }, now: number): SQL {
  const { wants } = filter
  const path = jsonPath(filter.path)
  switch (filter.test) {
    case "present":
      return wanted(wants, isJsonPresent(data, path))
    case "equal":
      return wantedOrNone(wants, equalsJson(data, path, filter.value))
    case "contains":
      return wantedOrNone(wants, jsonContains(data, path, filter.value))
    case "since":
      return wantedOrNone("true", comparesJsonTime(data, path, wants === "true" ? ">=" : "<", now - filter.value))
    default:
      return wantedOrNone(wants, comparesJson(data, path, signs[filter.test], filter.value))
  }
}

/** `since` asks whether there is one at or after a time, or ever. */
function ofLast(
  { wants, ...asked }: Asked<"event" | "mail"> & { readonly wants: Wanted },
  since: (at: number | null) => SQL,
  now: number,
): SQL {
  if (asked.test === "happened") return wanted(wants, since(null))
  const lately = since(now - asked.value)
  return wants === "false" ? sql`(${since(null)} AND NOT (${lately}))` : wanted(wants, lately)
}
