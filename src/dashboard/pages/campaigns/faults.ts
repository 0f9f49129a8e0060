import { ApiError, type FieldFault } from "../../api/http.ts"
import { type Faults, faultsOf, type SyntaxFault, syntaxFaultOf } from "../../parts/content/faults.ts"
import { reasonOf } from "../../ui/format.ts"

/** Why a campaign was not saved. */
export interface Refusal {
  /** Of the content, beside the field each is about. */
  readonly faults: Faults
  readonly syntax: SyntaxFault | null
  /** Of the conditions, at their paths (contract B2.5). */
  readonly condition: readonly FieldFault[]
  /** Of the audience otherwise. */
  readonly audience: string | null
}

export const noRefusal: Refusal = { faults: {}, syntax: null, condition: [], audience: null }

const prefix = /^audienceCondition\b/

export function refusalOf(cause: unknown): Refusal {
  const condition = cause instanceof ApiError ? cause.faults.filter(({ field }) => prefix.test(field)) : []
  const isAboutSegment =
    cause instanceof ApiError && (cause.status === 404 || cause.faults.some(({ field }) => field === "segmentId"))
  if (condition.length > 0) return { ...noRefusal, condition, audience: "The conditions are not complete yet." }
  if (isAboutSegment) return { ...noRefusal, audience: "Choose a segment that is there." }
  return { ...noRefusal, faults: faultsOf(cause), syntax: syntaxFaultOf(cause) }
}

/** What a refusal says when there is no field to say it beside. */
export function sayRefusal(cause: unknown): string {
  const first = cause instanceof ApiError ? cause.faults[0] : undefined
  return first ? `${first.field}: ${first.message}` : reasonOf(cause)
}
