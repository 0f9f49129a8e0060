import { deferred } from "../transport.ts"

// Receipts of messages that the other side was not given.

export const stopped = deferred("stopped before it was handed over")
export const notMade = deferred("the message could not be made")
