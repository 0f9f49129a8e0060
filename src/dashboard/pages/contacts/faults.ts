import { ApiError } from "../../api/http.ts"
import { reasonOf } from "../../api/refusal.ts"

/** Why an address was refused, to be shown at its field. */
export function emailFault(cause: unknown): string {
  if (cause instanceof ApiError && cause.status === 409) return "Another contact has this address."
  const fault = cause instanceof ApiError ? cause.faults.find(({ field }) => field === "email") : undefined
  return fault ? "This is not an email address." : reasonOf(cause)
}
