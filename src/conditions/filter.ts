import { isObject } from "../kernel/json.ts"
import type { Faults } from "./faults.ts"
import { parseField } from "./field.ts"
import {
  type Expected,
  type FieldRef,
  isOperator,
  type OperatorName,
  operatorNames,
  operators,
  operatorsOf,
  type Predicate,
  valueKindOf,
  valueKindOfOperator,
} from "./operators.ts"
import { checkValueOfUnknownField, readValue } from "./value.ts"

/** A filter ready to be evaluated. A comparison with null is never true (contract B2.3.3). */
export type Filter = (Predicate & { readonly expects: Expected }) | { readonly of: "never"; readonly field: FieldRef }

/** A segment that a filter names, and the path of the `field` that names it. */
export interface SegmentReference {
  readonly id: string
  readonly path: string
}

export interface FilterParsing {
  readonly faults: Faults
  readonly segments: SegmentReference[]
}

/** Parses the filter at the path `at`; undefined after a fault. */
export function parseFilter(sent: unknown, at: string, { faults, segments }: FilterParsing): Filter | undefined {
  if (!isObject(sent)) return void faults.addType(at, sent, "an object")
  const field = readField(sent.field, `${at}.field`, faults)
  if (field?.of === "segment") segments.push({ id: field.id, path: `${at}.field` })
  const operator = readOperator(sent.operator, field, `${at}.operator`, faults)
  if (operator === undefined) return undefined
  if (field === undefined) return void checkValueOfUnknownField(valueKindOfOperator(operator), sent, at, faults)
  const valueKind = valueKindOf(operator, field.of)
  const value = valueKind && readValue(valueKind, sent, at, faults)
  if (value === undefined) return undefined
  if (value === null && valueKind !== "nothing") return { of: "never", field }
  const { test, expects } = operators[operator]
  // The tables match fields, tests and values, so the three form one of the predicates.
  return { ...field, test, value, expects } as Filter
}

function readField(sent: unknown, at: string, faults: Faults): FieldRef | undefined {
  if (typeof sent !== "string") return void faults.addMismatch(at, sent, "a string")
  const field = parseField(sent)
  if (field === undefined) faults.add(at, "invalid_string", "names no field that a filter can be about")
  return field
}

function readOperator(
  sent: unknown,
  field: FieldRef | undefined,
  at: string,
  faults: Faults,
): OperatorName | undefined {
  if (typeof sent !== "string") return void faults.addMismatch(at, sent, "a string")
  const allowed = field ? operatorsOf(field.of) : operatorNames
  if (isOperator(sent) && allowed.includes(sent)) return sent
  faults.add(at, "invalid_enum", `must be one of ${allowed.join(", ")}`)
  return undefined
}
