import { type DomainError, type Fault, type FaultCode, fault, malformed } from "../kernel/errors.ts"
import { jsonType } from "../kernel/json.ts"

/** Gathers what is wrong with a condition: the first faults, of which a body of some megabytes could have millions. */
export interface Faults {
  readonly list: readonly Fault[]
  /** Enough is known: nobody reads more. */
  readonly full: boolean
  add(field: string, code: FaultCode, says: string): void
  addType(field: string, value: unknown, wanted: string): void
  /** The value is missing, which `null` is too, or of another type than wanted. */
  addUnfit(field: string, value: unknown, wanted: string): void
}

/** More than a condition within its limits can have. */
const mostFaults = 1_000

export function createFaults(): Faults {
  const list: Fault[] = []
  const keep = (one: Fault) => {
    if (list.length < mostFaults) list.push(one)
  }
  const faults: Faults = {
    list,
    get full() {
      return list.length >= mostFaults
    },
    add: (field, code, says) => keep(fault(field, code, `${field} ${says}.`)),
    addType: (field, value, wanted) =>
      keep(fault(field, "invalid_type", `${field} must be ${wanted}.`, jsonType(value))),
    addUnfit(field, value, wanted) {
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
