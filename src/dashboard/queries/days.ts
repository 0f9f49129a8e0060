/** The number of days of a trend, including today. */
export const trendDays = 14

/** A day in the user's time zone, as the period of a query; today has no end. */
interface DayPeriod {
  readonly startDate: string
  readonly endDate?: string
}

/** The last days up to that of `today`, in ms, the oldest first. */
export function lastDays(today: number): readonly DayPeriod[] {
  const now = new Date(today)
  // by the calendar: not every day has 24 hours, or begins at midnight
  const beginning = (back: number): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate() - back)
  return Array.from({ length: trendDays }, (_, at) => {
    const back = trendDays - 1 - at
    const startDate = beginning(back).toISOString()
    return back === 0
      ? { startDate }
      : { startDate, endDate: new Date(beginning(back - 1).getTime() - 1).toISOString() }
  })
}
