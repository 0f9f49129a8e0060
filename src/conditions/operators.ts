/** The operators of conditions and what they mean (contract B2). The parser and both readers go by these tables. */

/**
 * The answer to a test is yes, no, or none where there is nothing to test: no such field, a field that is null, no such
 * event, a deleted segment. An operator is a test and the answer that makes it true; "not true" is no or none.
 */
export type Wanted = "true" | "false" | "not true"

interface Operator {
  readonly test: Test
  readonly wants: Wanted
}

const above = { test: "above", wants: "true" } as const
const below = { test: "below", wants: "true" } as const

export const operators = {
  equals: { test: "equal", wants: "true" },
  notEquals: { test: "equal", wants: "false" },
  contains: { test: "contains", wants: "true" },
  notContains: { test: "contains", wants: "false" },
  greaterThan: above,
  gt: above,
  lessThan: below,
  lt: below,
  greaterThanOrEqual: { test: "atLeast", wants: "true" },
  lessThanOrEqual: { test: "atMost", wants: "true" },
  exists: { test: "present", wants: "true" },
  notExists: { test: "present", wants: "not true" },
  within: { test: "since", wants: "true" },
  olderThan: { test: "since", wants: "false" },
  triggered: { test: "happened", wants: "true" },
  notTriggered: { test: "happened", wants: "not true" },
  triggeredWithin: { test: "happenedSince", wants: "true" },
  triggeredOlderThan: { test: "happenedSince", wants: "false" },
  notTriggeredWithin: { test: "happenedSince", wants: "not true" },
  memberOfSegment: { test: "member", wants: "true" },
  notMemberOfSegment: { test: "member", wants: "false" },
} as const satisfies Record<string, Operator>

export type OperatorName = keyof typeof operators

const time = {
  equal: "instant",
  above: "instant",
  below: "instant",
  atLeast: "instant",
  atMost: "instant",
  since: "span",
} as const

const happenings = { happened: "nothing", happenedSince: "span" } as const

/** Which tests each kind of field has, and what value they take there (contract B2.2, B2.3). */
export const tests = {
  email: { equal: "address", contains: "part" },
  subscribed: { equal: "flag" },
  createdAt: time,
  updatedAt: time,
  data: {
    equal: "primitive",
    contains: "part",
    above: "ordered",
    below: "ordered",
    atLeast: "ordered",
    atMost: "ordered",
    present: "nothing",
    since: "span",
  },
  event: happenings,
  mail: happenings,
  segment: { member: "nothing" },
} as const

export type FieldKind = keyof typeof tests
type TestsOf<Kind extends FieldKind> = (typeof tests)[Kind]
export type Test = { [Kind in FieldKind]: keyof TestsOf<Kind> }[FieldKind]

/** What a value is once it is parsed. */
export interface Taken {
  /** Trimmed and in lower case. */
  address: string
  /** With A to Z in lower case. */
  part: string
  flag: boolean
  /** Milliseconds since the epoch. */
  instant: number
  primitive: Primitive
  ordered: string | number
  /** Milliseconds before the instant of evaluation. */
  span: number
  nothing: null
}

export type Takes = keyof Taken
export type Primitive = string | number | boolean

export const operatorNames = Object.keys(operators) as OperatorName[]

export const isOperator = (name: string): name is OperatorName => Object.hasOwn(operators, name)

/** What the test of an operator takes for a kind of field; undefined where the kind has no such operator. */
export function takenBy(name: OperatorName, kind: FieldKind): Takes | undefined {
  const row: Partial<Record<Test, Takes>> = tests[kind]
  return row[operators[name].test]
}

const kinds = Object.keys(tests) as FieldKind[]

/** The same for whatever kind has it: tells at least whether there must be a value, or a span. */
export const takenAnywhereBy = (name: OperatorName): Takes =>
  kinds.map((kind) => takenBy(name, kind)).find((takes) => takes !== undefined) ?? "nothing"

export const operatorsOf = (kind: FieldKind): OperatorName[] =>
  operatorNames.filter((name) => takenBy(name, kind) !== undefined)

/** The times of a mail that fields are named for (contract B2.2.11). */
export const activities = ["sent", "delivered", "opened", "clicked", "bounced", "complained"] as const
export type Activity = (typeof activities)[number]

/** What tells where a field lies, beside its kind. */
interface Places {
  email: unknown
  subscribed: unknown
  createdAt: unknown
  updatedAt: unknown
  /** The own keys that lead to the value, object by object. */
  data: { readonly path: readonly string[] }
  event: { readonly name: string }
  mail: { readonly activity: Activity }
  segment: { readonly id: string }
}

type PlaceOf<Kind extends FieldKind> = { readonly of: Kind } & Places[Kind]
export type Place = { [Kind in FieldKind]: PlaceOf<Kind> }[FieldKind]

type QuestionOf<Kind extends FieldKind> = {
  [T in keyof TestsOf<Kind>]: PlaceOf<Kind> & {
    readonly test: T
    readonly value: TestsOf<Kind>[T] extends Takes ? Taken[TestsOf<Kind>[T]] : never
  }
}[keyof TestsOf<Kind>]

/** Every test of every kind of field, with the value it takes there. */
export type Question = { [Kind in FieldKind]: QuestionOf<Kind> }[FieldKind]

export type OrderTest = "above" | "below" | "atLeast" | "atMost"
