import { defineSignal } from "../../bus/signal.ts"

/** A link must be sent; `id` is that of the token's row. Never the token itself, because signals are stored. */
export const accountTokenIssued = defineSignal<{ id: string }>("account.issued")
/** Somebody asked for a new password for this address, which may be that of no account. */
export const passwordResetRequested = defineSignal<{ email: string }>("password.requested")
