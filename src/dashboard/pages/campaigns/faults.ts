import { ApiError } from "../../api/http.ts"
import { reasonOf } from "../../api/refusal.ts"

/** The text of a refusal where there is no field to show it at. */
export function formatRefusal(cause: unknown): string {
  const first = cause instanceof ApiError ? cause.faults[0] : undefined
  return first ? `${first.field}: ${first.message}` : reasonOf(cause)
}
