import type { Engine } from "../../engine.ts"
import { second } from "../../kernel/clock.ts"
import { createLoop, restMs } from "../../kernel/loop.ts"
import type { Worker } from "../../module.ts"

const everyMs = second
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Measures by how much a timer is late, because the event loop was busy: every request waits for that long. */
export function createLoopDelay({ realClock, log, metrics }: Pick<Engine, "realClock" | "log" | "metrics">): Worker {
  const delays = metrics.histogram("mailstead_event_loop_delay_seconds", "By how much a timer was late.", bounds).of()
  let expectedAt: number | undefined
  const loop = createLoop({ clock: realClock, log, name: "loop delay", idleMs: everyMs, step })

  async function step(): Promise<void> {
    const now = performance.now()
    if (expectedAt !== undefined) delays.observe(Math.max(0, now - expectedAt) / 1_000)
    expectedAt = now + restMs(everyMs, realClock.now())
  }

  return {
    loop,
    open: async () => {},
    drain: async () => 0,
    nextDueAt: async () => undefined,
    stop: () => loop.stop(),
  }
}
