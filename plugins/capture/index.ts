import { reasonOf } from "../../src/kernel/log.ts"
import type { TransportPlugin } from "../../src/mail/transport.ts"
import { deferred } from "../../src/mail/transport.ts"

/** Delivers nothing: every message goes to the local inbox. */
const capture: TransportPlugin = {
  schemes: ["capture"],
  create: (_url, tools) => ({
    name: "capture",
    limits: { concurrency: 8, batch: 20 },
    send: (messages, signal) =>
      Promise.all(
        messages.map(async (message) => {
          if (signal.aborted) return deferred("stopped before the message was kept")
          try {
            return await tools.keep(message)
          } catch (problem) {
            return deferred(`not kept: ${reasonOf(problem)}`)
          }
        }),
      ),
    close: async () => {},
  }),
}

export default capture
