import { type FocusEvent, useLayoutEffect, useRef } from "react"

/** Stores the focused element. The returned function moves the focus, unless it has moved meanwhile. */
export function focusFromHere(): (to: () => HTMLElement | null | undefined) => void {
  const here = document.activeElement
  return (to) =>
    // the target may exist only after the next rendering
    requestAnimationFrame(() => {
      const now = document.activeElement
      if (now === here || now === document.body) to()?.focus()
    })
}

interface FocusPosition {
  readonly element: HTMLElement
  /** The parent of its row; null outside rows. */
  readonly around: Element | null
  readonly index: number
}

/**
 * Keeps the focus in a part of the page when the focused element is removed or disabled: it moves to the row at the
 * same position, or else to the part itself. `row` selects the rows. The returned props are for the element of the
 * part; the events may be on a containing element, whose focus is then kept too.
 */
export function useFocusKept<T extends HTMLElement>(row: string) {
  const part = useRef<T>(null)
  const last = useRef<FocusPosition | null>(null)
  useLayoutEffect(() => {
    if (!last.current || document.activeElement !== document.body) return
    const { element } = last.current
    const successor = element.isConnected ? element : (successorOf(last.current, row) ?? part.current)
    successor?.focus()
  })
  return {
    ref: part,
    tabIndex: -1,
    onFocus: ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
      // events also come from menus, which are elsewhere in the document
      if (currentTarget.contains(target)) last.current = focusPositionOf(target, row)
    },
    onBlur: ({ target }: FocusEvent<HTMLElement>) => {
      if (!target.matches(":disabled")) last.current = null
    },
  }
}

function focusPositionOf(element: HTMLElement, row: string): FocusPosition {
  const own = element.closest(row)
  const around = own?.parentElement ?? null
  return { element, around, index: own && around ? rowsIn(around, row).indexOf(own) : -1 }
}

const rowsIn = (around: Element, row: string): Element[] => [...around.children].filter((child) => child.matches(row))

/** The same kind of control in the row that is now at the position, or in the remaining container. */
function successorOf({ element, around, index }: FocusPosition, row: string): HTMLElement | null {
  if (!around?.isConnected) return null
  const rows = rowsIn(around, row)
  const successor = rows[index] ?? rows[index - 1] ?? around
  return (
    successor.querySelector<HTMLElement>(element.tagName) ?? successor.querySelector<HTMLElement>("a, button, input")
  )
}
