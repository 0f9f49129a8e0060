import { defineSignal } from "../../bus/signal.ts"

/** A link is to be sent: `id` of the token's row. Never the token, for signals are stored. */
export const accountTokenIssued = defineSignal<{ id: string }>("account.issued")
