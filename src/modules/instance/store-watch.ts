import type { Engine } from "../../engine.ts"
import { second } from "../../kernel/clock.ts"
import { createLoop } from "../../kernel/loop.ts"
import type { Worker } from "../../module.ts"

/** Looks after the store though nobody writes or asks for `/health`, so that the log tells within seconds what is wrong. */
export function createStoreWatch({ store, clock, log }: Pick<Engine, "store" | "clock" | "log">): Worker {
  // What is wrong is in the log already, and told by `/health`.
  const look = () => store.check().catch(() => {})
  const loop = createLoop({ clock, log, name: "store", idleMs: 2 * second, step: look })
  return {
    loop,
    open: async () => {},
    async drain() {
      await look()
      return 0
    },
    stop: () => loop.stop(),
  }
}
