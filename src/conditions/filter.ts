import { isObject } from "../kernel/json.ts"
import type { Faults } from "./faults.ts"
import { parseField } from "./field.ts"
import {
  isOperator,
  type OperatorName,
  operatorNames,
  operators,
  operatorsOf,
  type Place,
  type Question,
  takenAnywhereBy,
  takenBy,
  type Wanted,
} from "./operators.ts"
import { readValue, readValueOfNoField } from "./value.ts"

/** A filter ready to be evaluated. What is compared with null is true of nobody (contract B2.3.3). */
export type Filter = (Question & { readonly wants: Wanted }) | { readonly of: "nobody"; readonly place: Place }

/** A segment that a filter names, and the path of the field that does. */
export interface SegmentReference {
  readonly id: string
  readonly path: string
}

export interface FilterParsing {
  readonly faults: Faults
  readonly segments: SegmentReference[]
}

/** Reads the filter at the path `at`; undefined after a fault. */
export function parseFilter(sent: unknown, at: string, { faults, segments }: FilterParsing): Filter | undefined {
  if (!isObject(sent)) return void faults.addType(at, sent, "an object")
  const place = readField(sent.field, `${at}.field`, faults)
  if (place?.of === "segment") segments.push({ id: place.id, path: `${at}.field` })
  const operator = readOperator(sent.operator, place, `${at}.operator`, faults)
  if (operator === undefined) return undefined
  if (place === undefined) return void readValueOfNoField(takenAnywhereBy(operator), sent, at, faults)
  const takes = takenBy(operator, place.of)
  const value = takes && readValue(takes, sent, at, faults)
  if (value === undefined) return undefined
  if (value === null && takes !== "nothing") return { of: "nobody", place }
  const { test, wants } = operators[operator]
  // The tables say which value goes with which field and test, so that the whole is a question that there is.
  return { ...place, test, value, wants } as Filter
}

function readField(sent: unknown, at: string, faults: Faults): Place | undefined {
  if (typeof sent !== "string") return void faults.addUnfit(at, sent, "a string")
  const place = parseField(sent)
  if (place === undefined) faults.add(at, "invalid_string", "names no field that a filter can be about")
  return place
}

function readOperator(sent: unknown, place: Place | undefined, at: string, faults: Faults): OperatorName | undefined {
  if (typeof sent !== "string") return void faults.addUnfit(at, sent, "a string")
  const allowed = place ? operatorsOf(place.of) : operatorNames
  if (isOperator(sent) && allowed.includes(sent)) return sent
  faults.add(at, "invalid_enum", `must be one of ${allowed.join(", ")}`)
  return undefined
}
