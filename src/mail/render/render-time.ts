import { day, hour, second } from "../../kernel/clock.ts"
import { createTimeBudget } from "../../kernel/time-budget.ts"
import { RenderFault } from "./faults.ts"
import { defaultLimits, type Limits } from "./run.ts"

/** Runs a rendering with the remaining limits. */
export type Timed = <T>(work: (limits: Partial<Limits>) => T) => T

interface StretchOptions {
  /** The time of all its renderings together, in ms; that of a single rendering when left out. */
  readonly ms?: number
  /** What its renderings take together when they are ordinary, in ms; that of one message when left out. */
  readonly ordinaryMs?: number
}

/**
 * Begins a stretch of renderings for a project, usually those of one message. They share a time limit; each also has
 * the limit of a single rendering (contract A9, row 16). Time beyond the ordinary is charged to the allowance of the
 * project, so that a project with slow templates gets only a small share of the event loop (contract A3.6).
 * @throws {RenderFault} `time` when its own time is used up, `allowance` when that of the project is
 */
export type BeginStretch = (projectId: string, options?: StretchOptions) => Timed

/** What the renderings of an ordinary message take at most, in ms: as a rule less than one. */
export const ordinaryMs = 5
/**
 * The allowance: this share of each second, with a burst of three of the longest renderings, so that an author who
 * retries a slow template a few times gets its real fault each time.
 */
const allowance = { share: 0.2, burstMs: 3_000 }

/** How long something is tried again. */
const giveUpAfterMs = 3 * day

/**
 * The pause before the next try of a rendering that was stopped for the allowance, in ms, with `random` in [0, 1):
 * about as long as it has waited so far, which spreads many of them over time. Undefined when the first stop was too
 * long ago; without that time, all of the wait counts.
 */
export const pauseForAllowance = (waitedMs: number, random: number, stoppedMs = waitedMs): number | undefined =>
  stoppedMs > giveUpAfterMs ? undefined : Math.round(Math.min(Math.max(waitedMs, 5 * second), hour) * (0.5 + random))

/** The allowances are in memory, because what is lost with the process has been refilled by then. */
export function createRenderTime(now = defaultLimits.now): BeginStretch {
  const budget = createTimeBudget({ ...allowance, now })

  return (projectId, { ms = defaultLimits.ms, ordinaryMs: ordinary = ordinaryMs } = {}) => {
    let used = 0
    return (work) => {
      const own = Math.min(ms - used, defaultLimits.ms)
      if (own <= 0) throw new RenderFault("time")
      // May be 0: short renderings end before they first check the clock, so they are never refused because of slow
      // ones.
      const granted = Math.max(0, ordinary - used) + Math.max(0, budget.leftMs(projectId))
      const startedAt = now()
      try {
        return work({ ms: Math.min(own, granted), now })
      } catch (cause) {
        const isCut = granted < own && cause instanceof RenderFault && cause.exceeded === "time"
        throw isCut ? new RenderFault("allowance", budget.fullInMs(projectId)) : cause
      } finally {
        const before = Math.max(used, ordinary)
        used += now() - startedAt
        if (used > before) budget.spend(projectId, used - before)
      }
    }
  }
}
