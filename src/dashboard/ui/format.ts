const minute = 60_000
const day = 24 * 60 * minute

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })
const weekday = new Intl.DateTimeFormat(undefined, { weekday: "long" })
const date = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "long" })
const dateWithYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "long", year: "numeric" })
const shortDate = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" })
const shortDateWithYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" })
const due = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const
const dueThisYear = new Intl.DateTimeFormat(undefined, due)
const dueInAnotherYear = new Intl.DateTimeFormat(undefined, { ...due, year: "numeric" })
const minutes = {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
} as const
const planned = new Intl.DateTimeFormat(undefined, { ...minutes, timeZoneName: "short" })
const full = new Intl.DateTimeFormat(undefined, { ...minutes, second: "2-digit" })

const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0)

/** For a row grouped by day: the age within the first hour, the time of day after it. */
export function rowTime(at: number, now: number): string {
  const age = now - at
  if (age < minute) return "now"
  if (age < 60 * minute) return `${Math.floor(age / minute)}m`
  return clock.format(at)
}

/** The age in words: `just now`, `5 minutes ago`, `3 hours ago`, `2 days ago`. */
export function age(at: number, now: number): string {
  const past = Math.max(0, now - at)
  if (past < minute) return "just now"
  if (past < 60 * minute) return `${count(Math.floor(past / minute), "minute")} ago`
  if (past < day) return `${count(Math.floor(past / (60 * minute)), "hour")} ago`
  return `${count(Math.floor(past / day), "day")} ago`
}

/** The heading of a day in a list, in the user's time zone. */
export function dayName(at: number, now: number): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / day)
  if (days <= 0) return "Today"
  if (days === 1) return "Yesterday"
  if (days < 7) return weekday.format(at)
  return new Date(at).getFullYear() === new Date(now).getFullYear() ? date.format(at) : dateWithYear.format(at)
}

/** For a table column: the time of day if today, otherwise the day. */
export function dayTime(at: number, now: number): string {
  if (startOfDay(at) === startOfDay(now)) return clock.format(at)
  return new Date(at).getFullYear() === new Date(now).getFullYear()
    ? shortDate.format(at)
    : shortDateWithYear.format(at)
}

/** For a time to come in a list: the day, and the time of day that matters of it. */
export const dayAndTime = (at: number, now: number): string =>
  (new Date(at).getFullYear() === new Date(now).getFullYear() ? dueThisYear : dueInAnotherYear).format(at)

/** For a row under the heading of its day. */
export const timeOfDay = (at: number): string => clock.format(at)

/** A time to come, with its zone. */
export const plannedTime = (at: number): string => planned.format(at)
export const fullTime = (at: number): string => full.format(at)

const sizes = ["KB", "MB", "GB", "TB"] as const

export function byteSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  let [size, unit] = [bytes / 1024, 0]
  for (; size >= 1000 && unit < sizes.length - 1; unit++) size /= 1024
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${sizes[unit]}`
}

export const count = (n: number, noun: string): string => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`

/** `DELIVERED` in sentence case. */
export const sentenceCase = (word: string): string => word.charAt(0) + word.slice(1).toLowerCase()

/** Up to two letters or digits as initials of a name, or its first character. */
export function initials(name: string): string {
  const words = name.split(/\s+/).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? [])
  const [first = Array.from(name)[0] ?? ""] = words
  const last = words.length > 1 ? words.at(-1) : ""
  return `${first}${last}`.toUpperCase()
}
