/** How much processor time each project may use, in proportion to the time that passes. */
export interface TimeBudget {
  spend(projectId: string, ms: number): void
  /** What the project may use at once now, in ms; negative when it has used more than that. */
  leftMs(projectId: string): number
  /** When the project may use the whole burst again, in ms from now. */
  fullInMs(projectId: string): number
  /** Calls back, at once or later, when the project may use more. */
  whenFree(projectId: string, callback: () => void): void
}

interface TimeBudgetOptions {
  /** Of each second. */
  readonly share: number
  /** What may be used at once, beyond the share. */
  readonly burstMs: number
  /** Milliseconds on a clock that is never set. */
  readonly now?: () => number
  readonly later?: (callback: () => void, ms: number) => void
}

/** What a project has used beyond its share, at an instant. */
interface Debt {
  readonly ms: number
  readonly at: number
}

/** Projects that are remembered before those whose debt is paid are forgotten. */
const sweepAt = 1_000

/** Memory: what is lost with the process has been used up by then. */
export function createTimeBudget({
  share,
  burstMs,
  now = performanceNow,
  later = timer,
}: TimeBudgetOptions): TimeBudget {
  const debts = new Map<string, Debt>()

  function debtOf(projectId: string): number {
    const debt = debts.get(projectId)
    return debt === undefined ? 0 : Math.max(0, debt.ms - (now() - debt.at) * share)
  }

  function sweep(): void {
    for (const projectId of debts.keys()) if (debtOf(projectId) === 0) debts.delete(projectId)
  }

  return {
    spend(projectId, ms) {
      if (debts.size >= sweepAt) sweep()
      debts.set(projectId, { ms: debtOf(projectId) + ms, at: now() })
    },
    leftMs: (projectId) => burstMs - debtOf(projectId),
    fullInMs: (projectId) => debtOf(projectId) / share,
    whenFree(projectId, callback) {
      const waitMs = (debtOf(projectId) - burstMs) / share
      if (waitMs <= 0) callback()
      else later(callback, waitMs)
    },
  }
}

const performanceNow = (): number => performance.now()

/** Does not keep the process alive. */
function timer(callback: () => void, ms: number): void {
  setTimeout(callback, ms).unref()
}
