import { day, hour, minute, second } from "./clock.ts"

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: second, m: minute, h: hour, d: day, w: 7 * day }

/** The ms of numbers with their units ms, s, m, h, d, w, as in `7d` or `1h30m`; undefined for another text. */
export function parseDuration(text: string): number | undefined {
  const parts = [...text.trim().matchAll(/(\d{1,15})(ms|[smhdw])/g)]
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text.trim()) return undefined
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (unitMs[unit ?? ""] ?? 0), 0)
}
