import { type RefObject, useEffect, useRef } from "react"

/**
 * Keeps the focus in a dialog whose content changes: when the focused element is removed or disabled, the element with
 * `data-autofocus` inside the returned reference gets the focus.
 */
export function useFocusWhenLost(): RefObject<HTMLDivElement | null> {
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (document.activeElement !== document.body) return
    content.current?.querySelector<HTMLElement>("[data-autofocus]")?.focus()
  })
  return content
}
