import { deferred } from "../transport.ts"

// Receipts of messages that were not handed over.

export const stopped = deferred("stopped before it was handed over")
export const notComposed = deferred("the message could not be composed")
