import { type FocusEvent, useLayoutEffect, useRef } from "react"

/** Remembers what has the focus now. What is returned moves it on, unless it has moved by itself meanwhile. */
export function focusFromHere(): (to: () => HTMLElement | null | undefined) => void {
  const here = document.activeElement
  return (to) =>
    // what is to have it may be there only after the next rendering
    requestAnimationFrame(() => {
      const now = document.activeElement
      if (now === here || now === document.body) to()?.focus()
    })
}

interface FocusPosition {
  readonly element: HTMLElement
  /** What its row stands in; null outside of rows. */
  readonly around: Element | null
  readonly index: number
}

/**
 * Keeps the focus in a part of the page when what has it goes, or is switched off for a while: in the row that has taken
 * the place of its row, or else on the part itself. `row` selects the rows. What is returned is for the element of the part;
 * its events may be those of an element around it, whose focus is then kept too.
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
      // events come from menus too, which stand elsewhere in the document
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

/** The same kind of control in the row that is there now, or in what is left around it. */
function successorOf({ element, around, index }: FocusPosition, row: string): HTMLElement | null {
  if (!around?.isConnected) return null
  const rows = rowsIn(around, row)
  const successor = rows[index] ?? rows[index - 1] ?? around
  return (
    successor.querySelector<HTMLElement>(element.tagName) ?? successor.querySelector<HTMLElement>("a, button, input")
  )
}
