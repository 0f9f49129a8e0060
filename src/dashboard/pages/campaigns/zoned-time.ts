/** Wall clock times, as an input of the browser writes them (`2026-11-21T10:30`), in any time zone. */

/** The offset of a zone from UTC at an instant, in ms. */
function offsetAt(zone: string, at: number): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(at)
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value)
  const wall = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"))
  return wall - Math.floor(at / 1_000) * 1_000
}

/**
 * The instant, in ms, of a wall time in the zone; null for an invalid time. In an hour that occurs twice it is the
 * first; a time that is skipped is moved forward by the length of the gap.
 */
export function instantOf(wallTime: string, zone: string): number | null {
  const wall = Date.parse(`${wallTime}Z`)
  if (Number.isNaN(wall)) return null
  const day = 24 * 60 * 60 * 1_000
  const before = wall - offsetAt(zone, wall - day)
  const after = wall - offsetAt(zone, wall + day)
  const fits = [before, after].filter((at) => at + offsetAt(zone, at) === wall)
  return fits.length > 0 ? Math.min(...fits) : before
}

/** The wall time in the zone at an instant, to the minute. */
export const wallTimeOf = (at: number, zone: string): string =>
  new Date(at + offsetAt(zone, at)).toISOString().slice(0, 16)

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC"

export const zones = (): readonly string[] => [...new Set([ownZone(), "UTC", ...Intl.supportedValuesOf("timeZone")])]
