import { ApiError } from "../../api/http.ts"
import { reasonOf } from "../../ui/format.ts"

/** Why an address was refused, to be said beside it. */
export function emailFault(cause: unknown): string {
  if (cause instanceof ApiError && cause.status === 409) return "Another contact has this address."
  const fault = cause instanceof ApiError ? cause.faults.find(({ field }) => field === "email") : undefined
  return fault ? "This is not an email address." : reasonOf(cause)
}

/** Whether what was asked about is not there (any more). */
export const isMissing = (cause: unknown): boolean => cause instanceof ApiError && cause.status === 404
