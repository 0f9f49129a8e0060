import { defaultRangeExtractor, useVirtualizer, type VirtualItem } from "@tanstack/react-virtual"
import { type Dispatch, type RefObject, type SetStateAction, useLayoutEffect } from "react"

/** The rows that a long list renders at its scroll position. */
export interface Shown {
  readonly items: readonly VirtualItem[]
  /** The height of all rows, in px. */
  readonly height: number
  /** For the element of each row. */
  readonly measure: (element: Element | null) => void
}

export interface ListWindowProps {
  ids: readonly string[]
  /** Of a usual row, in px. */
  rowHeight: number
  list: RefObject<Element | null>
  /** Rows that stay, with those beside them. */
  kept: readonly (string | undefined)[]
  onShown: Dispatch<SetStateAction<Shown | undefined>>
}

/** Rows beyond either end of the view. */
const beyond = 10

/**
 * Watches which rows of a long list are in view. A component of its own, since most lists are not long, and do without its
 * code. To be rendered after the list, so that the list is there when this looks for it.
 */
export default function ListWindow({ ids, rowHeight, list, kept, onShown }: ListWindowProps) {
  const count = ids.length
  const virtualizer = useVirtualizer({
    count,
    overscan: beyond,
    estimateSize: () => rowHeight,
    getItemKey: (index) => ids[index] ?? index,
    getScrollElement: () => scrollerOf(list.current),
    // It scrolls there once: a list that became long while it was read stays where it is.
    initialOffset: () => scrollerOf(list.current)?.scrollTop ?? 0,
    rangeExtractor: (range) => {
      const around = kept
        .map((id) => (id === undefined ? -1 : ids.indexOf(id)))
        .filter((at) => at >= 0)
        .flatMap((at) => [at - 1, at, at + 1])
      const all = new Set([...defaultRangeExtractor(range), ...around.filter((at) => at >= 0 && at < count)])
      return [...all].sort((one, other) => one - other)
    },
  })
  const items = virtualizer.getVirtualItems()
  const height = virtualizer.getTotalSize()
  const { measureElement } = virtualizer
  // Before the list is painted. What is shown has changed only if it differs in value: its rows are computed each time.
  useLayoutEffect(() => {
    const shown = { items, height, measure: measureElement }
    onShown((before) => (before && isSame(before, shown) ? before : shown))
  })
  return null
}

/** Whether it is the same rows at the same places. */
const isSame = (one: Shown, other: Shown): boolean =>
  one.height === other.height && one.measure === other.measure && rowsOf(one) === rowsOf(other)

const rowsOf = ({ items }: Shown): string => items.map(({ key, start, end }) => `${key} ${start} ${end}`).join()

function scrollerOf(element: Element | null): Element | null {
  for (let outer = element?.parentElement ?? null; outer; outer = outer.parentElement)
    if (/auto|scroll/.test(getComputedStyle(outer).overflowY)) return outer
  return null
}
