import { day, hour, minute, second } from "./clock.ts"

const units = { s: second, m: minute, h: hour, d: day } as const
const form = /^(\d{1,9}(?:\.\d{1,3})?)(s|m|h|d)$/

/** The ms of a duration such as `90s`, `30m`, `2h` or `7d`; undefined for another text. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = form.exec(text.trim()) ?? []
  return amount === undefined ? undefined : Math.round(Number(amount) * units[unit as keyof typeof units])
}
