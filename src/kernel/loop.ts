import type { Clock } from "./clock.ts"
import { type Log, reasonOf } from "./log.ts"

/** A background loop: thin on purpose. The step is public, so tests call the step and never start the loop. */
export interface Loop {
  start(): void
  /** There may be work now. Cheap, and harmless when the loop is not running. */
  wake(): void
  /** Resolves when the step under way has ended. */
  stop(): Promise<void>
}

export interface LoopOptions {
  clock: Clock
  log: Log
  name: string
  /** How long to rest unless the loop is woken, in ms. */
  idleMs: number
  /** How long to wait after being woken, so that one step finds the work of many, in ms. */
  gatherMs?: number
  /** The signal aborts when the loop stops: a step of many parts then leaves the rest for another time. */
  step(stopping: AbortSignal): Promise<unknown>
}

const pauseAfterFaultMs = 1_000

export function createLoop({ clock, log, name, idleMs, gatherMs = 0, step }: LoopOptions): Loop {
  const stopping = new AbortController()
  let resting: AbortController | undefined
  let woken = false
  let running: Promise<void> | undefined

  const rest = async (ms: number): Promise<void> => {
    resting = new AbortController()
    await clock.sleep(ms, resting.signal)
    resting = undefined
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (woken && gatherMs > 0) await clock.sleep(gatherMs, stopping.signal)
      if (stopping.signal.aborted) break
      woken = false
      try {
        await step(stopping.signal)
        if (!woken && !stopping.signal.aborted) await rest(idleMs)
      } catch (cause) {
        log.error("A background loop met a fault and goes on", { loop: name, reason: reasonOf(cause) })
        if (!stopping.signal.aborted) await rest(pauseAfterFaultMs)
      }
    }
  }

  return {
    start() {
      running ??= run()
    },
    wake() {
      woken = true
      resting?.abort()
    },
    async stop() {
      stopping.abort()
      resting?.abort()
      await running
    },
  }
}
