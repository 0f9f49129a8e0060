import { type FocusEvent, type ReactNode, type RefObject, useRef, useState } from "react"
import type { ListWindowProps, Shown } from "./list-window.tsx"
import { lazy } from "./on-demand.tsx"

const ListWindow = lazy<ListWindowProps>(() => import("./list-window.tsx"))

/** Up to this many rows are all rendered; of a longer list only those in view, and those that the keys can reach. */
const mostAtOnce = 200

export interface RowInView {
  readonly index: number
  /** The height of the rows that are left out before it, in px. */
  readonly gap: number
  /** For the element of the row. */
  readonly props: RowProps
}

export interface RowProps {
  readonly "data-index"?: number
  readonly ref?: (element: Element | null) => void
}

/** One and the same for each row of a list that is not long, so that a row is not rendered for a new one. */
const noProps: RowProps = {}

interface RowsInView<E extends HTMLElement> {
  readonly rows: readonly RowInView[]
  /** The height of the rows that are left out after the last, in px. */
  readonly after: number
  /** For the element around the rows. */
  readonly body: { readonly ref: RefObject<E | null>; onFocus(event: FocusEvent): void }
  /** To be rendered after that element. */
  readonly watch: ReactNode
  readonly isLong: boolean
}

/**
 * The rows of a list, by their ids, that need to be there. `height` is that of a usual row in px; they are measured when
 * they are shown. The row at `cursor`, the one with the focus and those beside them stay, so that keys lead on from them.
 */
export function useRowsInView<E extends HTMLElement>(
  ids: readonly string[],
  height: number,
  cursor: string | undefined,
): RowsInView<E> {
  const ref = useRef<E>(null)
  const [focused, setFocused] = useState<string>()
  const [shown, setShown] = useState<Shown>()
  const count = ids.length
  const isLong = count > mostAtOnce
  const body = {
    ref,
    onFocus({ target }: FocusEvent) {
      const index = target.closest("[data-index]")?.getAttribute("data-index")
      if (index) setFocused(ids[Number(index)])
    },
  }
  const watch = isLong && (
    <ListWindow ids={ids} rowHeight={height} list={ref} kept={[cursor, focused]} onShown={setShown} />
  )
  // Until the window has followed, what it says is of the list as it was before.
  const items = isLong && shown ? shown.items.filter(({ index }) => index < count) : []
  if (!shown || items.length === 0) {
    // All rows of a short list; of a long one, until its height is known, the rows from before it became long.
    const rows = Array.from({ length: Math.min(count, mostAtOnce) }, (_, index) => ({ index, gap: 0, props: noProps }))
    return { rows, after: 0, body, watch, isLong }
  }
  let end = 0
  const rows = items.map(({ index, start, end: until }): RowInView => {
    const gap = start - end
    end = until
    return { index, gap, props: { "data-index": index, ref: shown.measure } }
  })
  return { rows, after: shown.height - end, body, watch, isLong }
}
