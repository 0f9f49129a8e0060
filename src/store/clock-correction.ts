import type { Unit } from "./writer.ts"

/**
 * Changes up to `limit` rows whose times were reckoned by a clock that was ahead, and resolves to how many. A time that was
 * to come so long after another keeps that distance, from `unit.now`; times that somebody named stay.
 */
export type ClockCorrection = (unit: Unit, limit: number) => Promise<number>
