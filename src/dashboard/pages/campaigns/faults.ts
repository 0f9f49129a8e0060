import { ApiError } from "../../api/http.ts"
import { reasonOf } from "../../api/refusal.ts"

/** What a refusal says when there is no field to say it beside. */
export function formatRefusal(cause: unknown): string {
  const first = cause instanceof ApiError ? cause.faults[0] : undefined
  return first ? `${first.field}: ${first.message}` : reasonOf(cause)
}
