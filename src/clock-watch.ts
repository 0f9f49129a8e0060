import type { Engine } from "./engine.ts"
import { second, type WatchedClock } from "./kernel/clock.ts"
import { createLoop } from "./kernel/loop.ts"
import type { Worker } from "./module.ts"
import type { ClockCorrection } from "./store/clock-correction.ts"
import { inSlices } from "./store/slices.ts"

/** A clock that is only slowed down lags by less than this, in ms. */
const tolerance = second

/**
 * Corrects stored times at start and whenever the clock is set back: otherwise everything that was planned while the
 * clock was ahead would wait until that time.
 */
export function createClockWatch(
  { store, log }: Pick<Engine, "store" | "log">,
  clock: WatchedClock,
  corrections: readonly ClockCorrection[],
): Worker {
  const loop = createLoop({ clock, log, name: "clock", idleMs: second, step: check })

  async function correct(): Promise<void> {
    await Promise.all(corrections.map((correction) => inSlices(store, "instance", correction)))
    clock.restart()
  }

  async function check(): Promise<void> {
    const behindMs = clock.latest() - clock.now()
    if (behindMs <= tolerance) return
    log.warn("The clock was set back: what was planned by it is planned anew", { seconds: behindMs / second })
    await correct()
  }

  return {
    loop,
    open: correct,
    async drain() {
      await check()
      return 0
    },
    nextDueAt: async () => undefined,
    stop: () => loop.stop(),
  }
}
