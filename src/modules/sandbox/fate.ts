/** What the simulator does to a message, by the local part of its address (contract A8.3.3); a `+tag` is ignored. */
export type Fate = "delivered" | "bounce" | "softbounce" | "complaint" | "fail"

const fates: Readonly<Record<string, Fate>> = {
  "bounce@simulator.test": "bounce",
  "softbounce@simulator.test": "softbounce",
  "complaint@simulator.test": "complaint",
  "fail@simulator.test": "fail",
}

export const fateOf = (address: string): Fate => fates[address.replace(/\+[^@]*@/, "@")] ?? "delivered"

export const failure = "Refused by the simulator."
