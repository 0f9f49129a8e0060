import { type DomainError, type Fault, type FaultCode, fault, malformed } from "../kernel/errors.ts"
import { jsonType } from "../kernel/json.ts"

/** Collects the first faults of a condition: a body of some megabytes could have millions. */
export interface Faults {
  readonly list: readonly Fault[]
  /** No more faults are collected, so that parsing may stop. */
  readonly full: boolean
  add(field: string, code: FaultCode, says: string): void
  addType(field: string, value: unknown, wanted: string): void
  /** Adds the fault of a value that is missing (or `null`), or of another type than expected. */
  addMismatch(field: string, value: unknown, wanted: string): void
}

/** More than a condition within the limits can have. */
const maxFaults = 1_000

export function createFaults(): Faults {
  const list: Fault[] = []
  const push = (one: Fault) => {
    if (list.length < maxFaults) list.push(one)
  }
  const faults: Faults = {
    list,
    get full() {
      return list.length >= maxFaults
    },
    add: (field, code, says) => push(fault(field, code, `${field} ${says}.`)),
    addType: (field, value, wanted) =>
      push(fault(field, "invalid_type", `${field} must be ${wanted}.`, jsonType(value))),
    addMismatch(field, value, wanted) {
      if (isMissing(value)) faults.add(field, "required", "is required")
      else faults.addType(field, value, wanted)
    },
  }
  return faults
}

export const isMissing = (value: unknown): value is undefined | null => value === undefined || value === null

/** The refusal of a condition: 400 with all its faults (contract B2.5). */
export const faultyCondition = (faults: readonly Fault[]): DomainError =>
  malformed(faults[0]?.message ?? "The condition is not valid.", { errors: faults })
