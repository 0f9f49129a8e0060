import { hour, second } from "../kernel/clock.ts"

/**
 * The delay before the next attempt in ms: 5 s, doubled up to one hour, varied by up to a fifth with `random` in [0,
 * 1).
 */
export function backoff(attempt: number, random: number): number {
  const plain = Math.min(5 * second * 2 ** Math.max(0, attempt - 1), hour)
  return Math.round(plain * (0.8 + 0.4 * random))
}
