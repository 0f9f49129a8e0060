import { ApiError } from "../../api/http.ts"
import { addressFaultOf } from "../../api/refusal.ts"

/** Why the address of a contact was refused, to be shown at its field. */
export const emailFault = (cause: unknown): string =>
  cause instanceof ApiError && cause.status === 409 ? "Another contact has this address." : addressFaultOf(cause)
