export interface Figure {
  readonly what: string
  /** The measured value with its unit. */
  readonly value: string
  /** The baseline, measured in the same run. */
  readonly limit?: string
  /** Value over limit. */
  readonly ratio?: number
  readonly target: string
  readonly met: boolean
  /** The load generator. */
  readonly by: string
}

/** A figure per second as a part of the bare limit. */
export function ratioOf(what: string, perSecond: number, limit: number, atLeast: number, by: string): Figure {
  const ratio = perSecond / limit
  return { what, value: perS(perSecond), limit: perS(limit), ratio, target: `>= ${atLeast}`, met: ratio >= atLeast, by }
}

export const below = (what: string, value: number, unit: string, most: number, by: string): Figure => ({
  what,
  value: `${value.toFixed(unit === "ms" ? 1 : 0)} ${unit}`,
  target: `< ${most} ${unit}`,
  met: value < most,
  by,
})

const perS = (value: number): string => `${Math.round(value).toLocaleString("en")}/s`

export const printTable = (figures: readonly Figure[]): void =>
  printRows([
    ["figure", "measured", "bare limit", "ratio", "target", "", "load by"],
    ...figures.map(({ what, value, limit = "", ratio, target, met, by }) => [
      what,
      value,
      limit,
      ratio === undefined ? "" : ratio.toFixed(2),
      target,
      met ? "met" : "SHORT",
      by,
    ]),
  ])

/** Text in columns; the first row has their headings. */
export function printRows(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
}
