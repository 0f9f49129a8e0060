import type { Engine } from "../../engine.ts"
import { second } from "../../kernel/clock.ts"
import { reasonOf } from "../../kernel/log.ts"
import { createLoop } from "../../kernel/loop.ts"
import type { Worker } from "../../module.ts"
import { insertRequests } from "./store.ts"
import type { LoggedRequest } from "./table.ts"

export interface RequestRecorder {
  /** Adds a request to the log, within a second. Never throws and never waits. */
  record(request: LoggedRequest): void
  readonly worker: Worker
}

/** Written in one statement, which takes about a millisecond. */
const atOnce = 1_000
/** Of more that wait, because the store cannot be written, the rest is lost. */
const mostWaiting = 20_000

/**
 * Collects requests in memory and writes them together once a second: a unit that shares the commit of the requests of
 * that moment, so that no request waits for its own entry. A crash loses the entries of the last second.
 */
export function createRequestRecorder({ store, clock, log }: Pick<Engine, "store" | "clock" | "log">): RequestRecorder {
  let waiting: LoggedRequest[] = []
  let lost = 0
  const loop = createLoop({ clock, log, name: "requests", idleMs: second, step: flush })

  async function flush(): Promise<number> {
    let written = 0
    while (waiting.length > 0) {
      const part = waiting.slice(0, atOnce)
      try {
        await store.write("instance", (unit) => insertRequests(unit, part))
      } catch (cause) {
        log.warn("The request log could not be written", { waiting: waiting.length, reason: reasonOf(cause) })
        break
      }
      waiting = waiting.slice(part.length)
      written += part.length
    }
    if (lost > 0) log.warn("Entries of the request log were lost", { requests: lost })
    lost = 0
    return written
  }

  return {
    record(request) {
      if (waiting.length >= mostWaiting) lost++
      else waiting.push(request)
      if (waiting.length === atOnce) loop.wake()
    },
    worker: {
      loop,
      open: async () => {},
      drain: flush,
      async stop() {
        await loop.stop()
        await flush()
      },
    },
  }
}
