import type { Unit } from "./writer.ts"

/**
 * Changes up to `limit` rows whose times were computed while the clock was ahead, and resolves to their number. A
 * computed time keeps its distance, now from `unit.now`; times that a client chose stay unchanged.
 */
export type ClockCorrection = (unit: Unit, limit: number) => Promise<number>
