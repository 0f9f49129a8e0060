import { type Clock, second } from "./clock.ts"
import { type Log, reasonOf } from "./log.ts"

/** A background loop. Its step is public, so that tests call the step and never start the loop. */
export interface Loop {
  start(): void
  /** Reports that there may be work. Cheap, and has no effect while the loop is not running. */
  wake(): void
  /** Resolves when no step is running; the next one begins after `resume`. Pauses are not nested. */
  pause(): Promise<void>
  resume(): void
  /** Resolves when the running step has ended. */
  stop(): Promise<void>
}

export interface LoopOptions {
  clock: Clock
  log: Log
  name: string
  /** How long to sleep between steps unless the loop is woken, in ms; see `restMs`. */
  idleMs: number
  /** How long to wait after `wake`, in ms, so that one step handles the work of several callers. */
  batchDelayMs?: number
  /** The signal aborts when the loop stops; a long step then leaves the rest of its work for a later step. */
  step(stopping: AbortSignal): Promise<unknown>
}

const pauseAfterFaultMs = 1_000

/**
 * How long a loop that may sleep for `idleMs` actually sleeps: from one second on, until the last whole second within
 * that time, so that an idle process wakes up once for all of its loops.
 */
export const restMs = (idleMs: number, now: number): number => (idleMs < second ? idleMs : idleMs - (now % second))

export function createLoop({ clock, log, name, idleMs, batchDelayMs = 0, step }: LoopOptions): Loop {
  const stopping = new AbortController()
  let resting: AbortController | undefined
  let woken = false
  let running: Promise<void> | undefined
  let stepping: Promise<unknown> | undefined
  let paused: PromiseWithResolvers<void> | undefined

  const rest = async (ms: number): Promise<void> => {
    resting = new AbortController()
    await clock.sleep(restMs(ms, clock.now()), resting.signal)
    resting = undefined
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (woken && batchDelayMs > 0) await clock.sleep(batchDelayMs, stopping.signal)
      while (paused) await paused.promise
      if (stopping.signal.aborted) break
      woken = false
      try {
        stepping = step(stopping.signal)
        await stepping
        if (!woken && !stopping.signal.aborted) await rest(idleMs)
      } catch (cause) {
        log.error("A background loop failed and goes on", { loop: name, reason: reasonOf(cause) })
        if (!stopping.signal.aborted) await rest(pauseAfterFaultMs)
      }
    }
  }

  function resume(): void {
    paused?.resolve()
    paused = undefined
  }

  return {
    start() {
      running ??= run()
    },
    wake() {
      woken = true
      resting?.abort()
    },
    async pause() {
      paused ??= Promise.withResolvers()
      // Its failure is handled by the loop.
      await Promise.allSettled([stepping])
    },
    resume,
    async stop() {
      stopping.abort()
      resume()
      resting?.abort()
      await running
    },
  }
}
