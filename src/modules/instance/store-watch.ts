import type { Engine } from "../../engine.ts"
import { second } from "../../kernel/clock.ts"
import { createLoop } from "../../kernel/loop.ts"
import type { Worker } from "../../module.ts"
import { createMemoryReturn, type Memory } from "./memory.ts"

/**
 * Checks the store even without writes and requests to `/health`, so that a failure is logged within seconds. Releases
 * memory while the process is idle.
 */
export function createStoreWatch(
  { store, clock, realClock, log }: Pick<Engine, "store" | "clock" | "realClock" | "log">,
  memory?: Memory,
): Worker {
  // The failure is already logged and reported by `/health`.
  const look = () => store.check().catch(() => {})
  const releaseMemory = createMemoryReturn({ store, clock: realClock }, memory)
  const step = async () => {
    await look()
    releaseMemory()
  }
  const loop = createLoop({ clock, log, name: "store", idleMs: 2 * second, step })
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
