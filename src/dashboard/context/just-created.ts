import { useHistoryState } from "wouter/use-browser-location"

/** Options of a navigation to an item that was just created. */
export const asNew = { state: { isNew: true } } as const

/** Whether the page shows an item that was just created, whose name is then focused. */
export function useIsNew(): boolean {
  const state: unknown = useHistoryState()
  return typeof state === "object" && state !== null && "isNew" in state
}
