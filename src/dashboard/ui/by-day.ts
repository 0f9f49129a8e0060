import { dayName } from "./format.ts"
import type { RowInView } from "./rows-in-view.tsx"

interface ItemInView<T> extends RowInView {
  readonly item: T
}

/** The rows in view under the days of their items, by ISO times, in the order of the list. */
export function byDay<T>(
  items: readonly T[],
  timeOf: (item: T) => string,
  rows: readonly RowInView[],
  now: number,
): [day: string, items: ItemInView<T>[]][] {
  const days = new Map<string, ItemInView<T>[]>()
  for (const row of rows) {
    const item = items[row.index]
    if (!item) continue
    const day = dayName(Date.parse(timeOf(item)), now)
    const ofDay = days.get(day)
    if (ofDay) ofDay.push({ ...row, item })
    else days.set(day, [{ ...row, item }])
  }
  return [...days]
}
