import { notifications } from "@mantine/notifications"
import { type ComponentType, lazy, useEffect, useState } from "react"
import { flushSync } from "react-dom"

/** A component that is loaded when it is first shown, or before by `load`. */
export const onDemand = (load: () => Promise<{ default: ComponentType }>) => ({ content: lazy(load), load })

/**
 * Loads what the first view of a page can do without, a dialog for example, and opens it. At once after the wait: else a
 * dialog may take the focus before it has noted where to give it back.
 */
export const openOnDemand =
  <M, A extends readonly unknown[]>(load: () => Promise<M>, open: (module: M, ...args: A) => void) =>
  (...args: A): void => {
    load().then(
      (module) => flushSync(() => open(module, ...args)),
      () => notifications.show({ color: "red", title: "Not loaded", message: "The server could not be reached." }),
    )
  }

/** Whether a condition holds or has held while the component was mounted: what is mounted for it then stays. */
export function useHasBeen(condition: boolean): boolean {
  const [hasBeen, setHasBeen] = useState(condition)
  if (condition && !hasBeen) setHasBeen(true)
  return hasBeen || condition
}

/**
 * False at first: a dialog that is loaded when it is to open is mounted closed, since it notes where to give the focus back
 * when it opens.
 */
export function useIsMounted(): boolean {
  const [isMounted, setIsMounted] = useState(false)
  useEffect(() => setIsMounted(true), [])
  return isMounted
}
