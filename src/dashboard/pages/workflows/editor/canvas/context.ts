import { createContext, useContext } from "react"
import type { Place } from "../model/graph.ts"

export interface Choice {
  /** Whether it is added to the chosen steps, or taken away. */
  readonly more: boolean
  /** Whether the focus goes to its settings. */
  readonly byKey: boolean
}

/** What the steps and transitions of a canvas do. */
export interface CanvasActions {
  choose(id: string, how: Choice): void
  /** Null where nothing can be added. */
  readonly openMenu: ((place: Place, button: HTMLElement) => void) | null
  dropAt(place: Place, dropped: DataTransfer): void
  showPeople(stepId: string): void
}

export const CanvasContext = createContext<CanvasActions | null>(null)

export function useCanvas(): CanvasActions {
  const actions = useContext(CanvasContext)
  if (!actions) throw new Error("useCanvas outside of CanvasContext")
  return actions
}
