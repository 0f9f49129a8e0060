import type { Report } from "../emails/index.ts"

/** The simulated outcome of a message, by the local part of its address (contract A8.3.3); a `+tag` is ignored. */
export type SimulatedOutcome = "delivered" | "bounce" | "softbounce" | "complaint" | "fail"

const outcomes: Readonly<Record<string, SimulatedOutcome>> = {
  "bounce@simulator.test": "bounce",
  "softbounce@simulator.test": "softbounce",
  "complaint@simulator.test": "complaint",
  "fail@simulator.test": "fail",
}

export const outcomeOf = (address: string): SimulatedOutcome =>
  outcomes[address.replace(/\+[^@]*@/, "@")] ?? "delivered"

export const failure = "Refused by the simulator."

/** The reports of the receiving side, by outcome. */
export const reportsOf: Record<SimulatedOutcome, readonly Report[]> = {
  delivered: [{ kind: "delivery" }],
  bounce: [{ kind: "bounce", bounceType: "Permanent" }],
  softbounce: [{ kind: "bounce", bounceType: "Transient" }],
  complaint: [{ kind: "delivery" }, { kind: "complaint" }],
  fail: [],
}
