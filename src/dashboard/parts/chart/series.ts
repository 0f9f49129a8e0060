import { csvText } from "../csv-text.ts"

/** What a chart shows: a value of each series for each day or hour. */
export interface ChartData {
  /** Days (UTC) such as `2026-01-31`, or the ISO times at which hours begin. */
  readonly points: readonly string[]
  readonly unit: "day" | "hour"
  readonly series: readonly Series[]
}

interface Series {
  readonly label: string
  readonly values: readonly number[]
  readonly tone: "first" | "second" | "third" | "fourth" | "before"
}

/** Days of the figures are UTC; an hour is told in the user's time zone. */
const formats = {
  day: {
    short: new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" }),
    full: new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeZone: "UTC" }),
  },
  hour: {
    short: new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "numeric" }),
    full: new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "short" }),
  },
}
const number = new Intl.NumberFormat()

/** `""` for a point that does not exist. */
export const shortText = ({ unit }: ChartData, point: string | undefined): string =>
  point === undefined ? "" : formats[unit].short.format(Date.parse(point))
export const fullText = ({ unit }: ChartData, point: string): string => formats[unit].full.format(Date.parse(point))
export const numberText = (value: number): string => number.format(value)

/** What texts at an axis take in px, in the font of the plot; of usual numbers it is the same for all charts. */
export const axisWidth = (texts: readonly string[]): number =>
  Math.max(52, 10 + 7 * Math.max(0, ...texts.map(({ length }) => length)))

const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** RFC 4180. */
export const csvOf = ({ points, unit, series }: ChartData): string =>
  [
    [unit === "day" ? "date" : "time", ...series.map(({ label }) => cell(csvText(label)))],
    ...points.map((point, at) => [point, ...series.map(({ values }) => String(values[at] ?? 0))]),
  ]
    .map((row) => `${row.join(",")}\r\n`)
    .join("")

/** The chart in a sentence, for those who do not see it. */
export function summaryOf(data: ChartData): string {
  const [first, last] = [data.points[0], data.points.at(-1)]
  if (first === undefined || last === undefined) return "No days."
  const sums = data.series.map(
    ({ label, values }) => `${label}: ${numberText(values.reduce((sum, one) => sum + one, 0))}`,
  )
  return `${shortText(data, first)} to ${shortText(data, last)}. ${sums.join(", ")}.`
}
