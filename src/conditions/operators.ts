/** The operators of conditions and their meaning (contract B2): the tables of the parser and of both evaluations. */

/**
 * The result of a test is true, false, or null where there is nothing to test: no such field, a field that is null, no
 * such event, a deleted segment. An operator is a test and the result it expects; "not true" is false or null.
 */
export type Expected = "true" | "false" | "not true"

interface Operator {
  readonly test: Test
  readonly expects: Expected
}

const above = { test: "above", expects: "true" } as const
const below = { test: "below", expects: "true" } as const

export const operators = {
  equals: { test: "equal", expects: "true" },
  notEquals: { test: "equal", expects: "false" },
  contains: { test: "contains", expects: "true" },
  notContains: { test: "contains", expects: "false" },
  greaterThan: above,
  gt: above,
  lessThan: below,
  lt: below,
  greaterThanOrEqual: { test: "atLeast", expects: "true" },
  lessThanOrEqual: { test: "atMost", expects: "true" },
  exists: { test: "present", expects: "true" },
  notExists: { test: "present", expects: "not true" },
  within: { test: "since", expects: "true" },
  olderThan: { test: "since", expects: "false" },
  triggered: { test: "happened", expects: "true" },
  notTriggered: { test: "happened", expects: "not true" },
  triggeredWithin: { test: "happenedSince", expects: "true" },
  triggeredOlderThan: { test: "happenedSince", expects: "false" },
  notTriggeredWithin: { test: "happenedSince", expects: "not true" },
  memberOfSegment: { test: "member", expects: "true" },
  notMemberOfSegment: { test: "member", expects: "false" },
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

const activityTests = { happened: "nothing", happenedSince: "span" } as const

/** The tests of each kind of field, and the kind of value each takes there (contract B2.2, B2.3). */
const tests = {
  email: { equal: "address", contains: "addressPart" },
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
  event: activityTests,
  mail: activityTests,
  segment: { member: "nothing" },
} as const

export type FieldKind = keyof typeof tests
type TestsOf<Kind extends FieldKind> = (typeof tests)[Kind]
type Test = { [Kind in FieldKind]: keyof TestsOf<Kind> }[FieldKind]

/** The type of each kind of value once parsed. */
export interface Values {
  /** In the form of stored addresses. */
  address: string
  addressPart: string
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

export type ValueKind = keyof Values
export type Primitive = string | number | boolean

export const operatorNames = Object.keys(operators) as OperatorName[]

export const isOperator = (name: string): name is OperatorName => Object.hasOwn(operators, name)

/** The kind of value that an operator takes for a kind of field; undefined where the field has no such operator. */
export function valueKindOf(name: OperatorName, kind: FieldKind): ValueKind | undefined {
  const row: Partial<Record<Test, ValueKind>> = tests[kind]
  return row[operators[name].test]
}

const kinds = Object.keys(tests) as FieldKind[]

/** The same for any kind of field that has the operator: enough to know whether it needs a value or a span. */
export const valueKindOfOperator = (name: OperatorName): ValueKind =>
  kinds.map((kind) => valueKindOf(name, kind)).find((valueKind) => valueKind !== undefined) ?? "nothing"

export const operatorsOf = (kind: FieldKind): OperatorName[] =>
  operatorNames.filter((name) => valueKindOf(name, kind) !== undefined)

/** The times of a mail that have a field (contract B2.2.11). */
const activities = ["sent", "delivered", "opened", "clicked", "bounced", "complained"] as const
export type Activity = (typeof activities)[number]

/** What identifies a field, in addition to its kind. */
interface FieldDetails {
  email: unknown
  subscribed: unknown
  createdAt: unknown
  updatedAt: unknown
  /** The path of own keys to the value, through nested objects. */
  data: { readonly path: readonly string[] }
  event: { readonly name: string }
  mail: { readonly activity: Activity }
  segment: { readonly id: string }
}

type FieldRefOf<Kind extends FieldKind> = { readonly of: Kind } & FieldDetails[Kind]
export type FieldRef = { [Kind in FieldKind]: FieldRefOf<Kind> }[FieldKind]

type PredicateOf<Kind extends FieldKind> = {
  [T in keyof TestsOf<Kind>]: FieldRefOf<Kind> & {
    readonly test: T
    readonly value: TestsOf<Kind>[T] extends ValueKind ? Values[TestsOf<Kind>[T]] : never
  }
}[keyof TestsOf<Kind>]

/** Every test of every kind of field, with the value it takes there. */
export type Predicate = { [Kind in FieldKind]: PredicateOf<Kind> }[FieldKind]

export type OrderTest = "above" | "below" | "atLeast" | "atMost"
