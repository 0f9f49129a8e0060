import type { KeyboardEvent } from "react"

/** Escape closes a panel; in a field whose list is open, that list only. */
export const onEscape = (close: () => void) => (event: KeyboardEvent<HTMLElement>) => {
  const isOpen = event.target instanceof Element && event.target.closest("[aria-expanded=true]") !== null
  if (event.key !== "Escape" || event.defaultPrevented || isOpen) return
  event.preventDefault()
  close()
}
