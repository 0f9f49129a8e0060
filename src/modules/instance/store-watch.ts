import type { Engine } from "../../engine.ts"
import { second } from "../../kernel/clock.ts"
import { createLoop } from "../../kernel/loop.ts"
import type { Worker } from "../../module.ts"

/** Checks the store even without writes and requests to `/health`, so that a failure is logged within seconds. */
export function createStoreWatch({ store, clock, log }: Pick<Engine, "store" | "clock" | "log">): Worker {
  // The failure is already logged and reported by `/health`.
  const look = () => store.check().catch(() => {})
  const loop = createLoop({ clock, log, name: "store", idleMs: 2 * second, step: look })
  return {
    loop,
    open: async () => {},
    async drain() {
      await look()
      return 0
    },
    nextDueAt: async () => undefined,
    stop: () => loop.stop(),
  }
}
