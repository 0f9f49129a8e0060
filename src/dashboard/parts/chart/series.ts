/** What a chart shows: a value of each series for each day. */
export interface ChartData {
  /** Such as `2026-01-31`. */
  readonly dates: readonly string[]
  readonly series: readonly Series[]
}

export interface Series {
  readonly label: string
  readonly values: readonly number[]
  readonly tone: "first" | "second" | "third" | "fourth" | "before"
}

const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" })
const fullDay = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeZone: "UTC" })
const number = new Intl.NumberFormat()

export const dayText = (date: string): string => day.format(Date.parse(date))
export const fullDayText = (date: string): string => fullDay.format(Date.parse(date))
export const numberText = (value: number): string => number.format(value)

const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** RFC 4180. */
export const csvOf = ({ dates, series }: ChartData): string =>
  [
    ["date", ...series.map(({ label }) => cell(label))],
    ...dates.map((date, at) => [date, ...series.map(({ values }) => String(values[at] ?? 0))]),
  ]
    .map((row) => `${row.join(",")}\r\n`)
    .join("")

/** The chart in a sentence, for those who do not see it. */
export function summaryOf({ dates, series }: ChartData): string {
  const [first, last] = [dates[0], dates.at(-1)]
  if (first === undefined || last === undefined) return "No days."
  const sums = series.map(({ label, values }) => `${label}: ${numberText(values.reduce((sum, one) => sum + one, 0))}`)
  return `${dayText(first)} to ${dayText(last)}. ${sums.join(", ")}.`
}
