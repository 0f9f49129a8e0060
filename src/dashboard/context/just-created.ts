import { useHistoryState } from "wouter/use-browser-location"

/** Given to a navigation that leads to what was made just now. */
export const asNew = { state: { isNew: true } } as const

/** Whether what the page shows was made just now, so that its name is what one goes on with. */
export function useIsNew(): boolean {
  const state: unknown = useHistoryState()
  return typeof state === "object" && state !== null && "isNew" in state
}
