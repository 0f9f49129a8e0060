/** The only source of time, so that tests can move it. All times are integer milliseconds since the epoch. */
export interface Clock {
  now(): number
  /** Resolves after `ms`, or as soon as the signal aborts; never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const wake = () => {
        clearTimeout(timer)
        signal.removeEventListener("abort", wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      signal.addEventListener("abort", wake, { once: true })
    }),
}

/** A clock that remembers the latest time it has returned: no caller has seen a later one. */
export interface WatchedClock extends Clock {
  latest(): number
  /** Forgets the latest time and starts again at the present one. */
  restart(): void
}

export function watched({ now, sleep }: Clock): WatchedClock {
  let latest = now()
  return {
    now() {
      const at = now()
      if (at > latest) latest = at
      return at
    },
    sleep,
    latest: () => latest,
    restart() {
      latest = now()
    },
  }
}

export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** Whether less than `ms` lies between two times, whichever is later: a clock may be set back. */
export const isWithin = (ms: number, one: number, other: number): boolean => Math.abs(one - other) < ms

/**
 * Whether `until` is in the future, but by no more than `ms`: a time further away was computed before the clock was set
 * back.
 */
export const isAhead = (until: number, now: number, ms: number): boolean => now < until && until <= now + ms

/** The earliest of these times; undefined when there is none. */
export function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((at) => at !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}

/** UTC with milliseconds, the format of every time in a response (contract A1.1.3). */
export const iso = (at: number): string => new Date(at).toISOString()
/** The date and time of a header field of a message, in UTC (RFC 5322, 3.3). */
export const headerDate = (at: number): string => new Date(at).toUTCString().replace("GMT", "+0000")
export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at))
