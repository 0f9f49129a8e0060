import { type RefObject, useEffect, useRef } from "react"

/**
 * Keeps the focus in a dialog whose content changes: when what had it is gone or switched off, it goes to what is marked
 * with `data-autofocus` now. The marked one lies within what the returned reference is given to.
 */
export function useFocusWhenLost(): RefObject<HTMLDivElement | null> {
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (document.activeElement !== document.body) return
    content.current?.querySelector<HTMLElement>("[data-autofocus]")?.focus()
  })
  return content
}
