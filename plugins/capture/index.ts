import { reasonOf } from "../../src/kernel/log.ts"
import type { Outgoing, Receipt, TransportPlugin } from "../../src/mail/transport.ts"
import { deferred } from "../../src/mail/transport.ts"

/** Stores a message in the local inbox instead of sending it; the receipt is the simulated outcome of its delivery. */
export type Capture = (message: Outgoing, abort: AbortSignal) => Promise<Receipt>

/** A transport that passes every message to `capture` and delivers none. */
export const createCapture = (capture: Capture): TransportPlugin => ({
  schemes: ["capture"],
  create: () => ({
    name: "capture",
    limits: { concurrency: 8, batch: 20 },
    // Capturing a message again replaces it.
    repeatable: true,
    send: (messages, abort) =>
      Promise.all(
        messages.map(async (message) => {
          if (abort.aborted) return deferred("stopped before the message was captured")
          try {
            return await capture(message, abort)
          } catch (problem) {
            return deferred(`not captured: ${reasonOf(problem)}`)
          }
        }),
      ),
    close: async () => {},
  }),
})
