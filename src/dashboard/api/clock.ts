import type { clockSchema, clockTurnSchema } from "../../modules/sandbox/index.ts"
import { read } from "./http.ts"
import type { Wire } from "./types.ts"

/** The clock of the sandbox (contract A8.3.8). */
type Clock = Wire<typeof clockSchema>

type ClockTurn = Wire<typeof clockTurnSchema>

export const getClock = (projectId: string): Promise<Clock> => read("/sandbox/clock", { projectId })

/** Turns the clock to this time, or on the way to it: then the answer is not complete. */
export const turnClock = (projectId: string, to: string): Promise<ClockTurn> =>
  read("/sandbox/clock", { projectId, method: "POST", body: { to } })
