import type { Engine } from "../../../engine.ts"
import { DomainError } from "../../../kernel/errors.ts"
import { beginReport, type ClockReport } from "./report.ts"

/** The right to turn the clock of the process, which one has at a time. */
export interface Turning {
  /** `turnTo` resolves once all work that became due on the way is done; to false when the time was not reached. */
  run<T>(work: (turnTo: (to: number) => Promise<boolean>) => Promise<T>): Promise<T>
}

export interface ClockState {
  readonly manual: boolean
  readonly now: number
}

export interface ClockTurn extends ClockState, ClockReport {
  readonly from: number
  /** Whether the wanted time was reached. */
  readonly complete: boolean
}

/** The clock of the sandbox; without `turning` it follows the system. */
export const createClockActions = (
  engine: Pick<Engine, "store" | "clock" | "bus" | "jobs">,
  turning: Turning | undefined,
) => ({
  state: (): ClockState => ({ manual: turning !== undefined, now: engine.clock.now() }),

  /** Turns the clock to the time that `timeAt` gives for the present one, and tells what happened in the project. */
  async turn(projectId: string, timeAt: (now: number) => number): Promise<ClockTurn> {
    if (turning === undefined) throw notManual()
    const { clock } = engine
    return turning.run(async (turnTo) => {
      const from = clock.now()
      const to = timeAt(from)
      const report = beginReport(engine, projectId)
      try {
        const complete = await turnTo(to)
        return { manual: true, now: clock.now(), from, complete, ...(await report.read()) }
      } finally {
        report.end()
      }
    })
  },
})

const notManual = (): DomainError =>
  new DomainError("conflict", "CLOCK_NOT_MANUAL", "The clock of this sandbox follows the system.", {
    suggestion: "Start it with: mailstead sandbox --clock manual",
  })

export type ClockActions = ReturnType<typeof createClockActions>
