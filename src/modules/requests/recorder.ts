import type { Engine } from "../../engine.ts"
import { second } from "../../kernel/clock.ts"
import { reasonOf } from "../../kernel/log.ts"
import { createLoop } from "../../kernel/loop.ts"
import type { Worker } from "../../module.ts"
import { createRequestBuffer } from "./buffer.ts"
import { insertRequests } from "./store.ts"
import type { LoggedRequest } from "./table.ts"

interface RequestRecorder {
  /** Adds a request to the log, within a second. Never throws and never waits. */
  record(request: LoggedRequest): void
  readonly worker: Worker
}

/** Written in one statement, which takes about a millisecond. */
const atOnce = 1_000
/** More requests than this within a second, or while the store is stuck, are not in the log. */
const mostWaiting = 50_000

/**
 * Collects requests in memory and writes them together once a second, in units that share the commits of other writes: no
 * request waits for its entry, and commits stay as they are. A crash loses the entries of the last second.
 */
export function createRequestRecorder({ store, clock, log }: Pick<Engine, "store" | "clock" | "log">): RequestRecorder {
  const buffer = createRequestBuffer(atOnce)
  let waiting = 0
  let lost = 0
  const loop = createLoop({ clock, log, name: "requests", idleMs: second, step: flush })

  async function flush(): Promise<number> {
    const due = waiting
    let reason = "too many at a time"
    waiting = 0
    // One after another, so that other units are written in between.
    for (const batch of buffer.take()) {
      try {
        await store.write("instance", (unit) => insertRequests(unit, batch))
      } catch (cause) {
        lost += batch.requests.length
        reason = reasonOf(cause)
      }
    }
    if (lost > 0) log.warn("Entries of the request log were lost", { requests: lost, reason })
    lost = 0
    return due
  }

  return {
    record(request) {
      if (waiting >= mostWaiting) {
        lost++
        return
      }
      waiting++
      buffer.add(request)
    },
    worker: {
      loop,
      open: async () => {},
      // Reports no work: nothing depends on these writes, and requests may never stop coming.
      async drain() {
        await flush()
        return 0
      },
      nextDueAt: async () => undefined,
      async stop() {
        await loop.stop()
        await flush()
      },
    },
  }
}
