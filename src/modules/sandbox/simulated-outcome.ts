import { withoutTag } from "../../kernel/email-address.ts"
import type { Report } from "../emails/index.ts"

/** The simulated outcome of a message, by the local part of its address (contract A8.3.3); a `+tag` is ignored. */
export type SimulatedOutcome = "delivered" | "bounce" | "softbounce" | "complaint" | "defer" | "fail"

const outcomes: Readonly<Record<string, SimulatedOutcome>> = {
  "bounce@simulator.test": "bounce",
  "softbounce@simulator.test": "softbounce",
  "complaint@simulator.test": "complaint",
  "defer@simulator.test": "defer",
  "fail@simulator.test": "fail",
}

export const outcomeOf = (address: string): SimulatedOutcome => outcomes[withoutTag(address)] ?? "delivered"

/** How many attempts are deferred before a message is accepted. */
export const deferredAttempts = 2
export const deferral = "Deferred by the simulator."
export const failure = "Refused by the simulator."

/** The reports of the receiving side, by outcome. */
export const reportsOf: Record<SimulatedOutcome, readonly Report[]> = {
  delivered: [{ kind: "delivery" }],
  bounce: [{ kind: "bounce", bounceType: "Permanent" }],
  softbounce: [{ kind: "bounce", bounceType: "Transient" }],
  complaint: [{ kind: "delivery" }, { kind: "complaint" }],
  defer: [{ kind: "delivery" }],
  fail: [],
}
