import { useHotkeys } from "@mantine/hooks"
import { type ReactNode, useState } from "react"
import { withControl } from "../ui/keys.tsx"
import { lazy, openOnDemand } from "../ui/on-demand.tsx"
import { palette } from "./palette-store.ts"

const Palette = lazy(() => import("./palette.tsx"))
const whenLoaded = openOnDemand(Palette.load, (_loaded, show: () => void) => show())

/** How this machine writes the palette's key. */
export const paletteKey = withControl("K")

/** The palette, which is loaded when it is first opened: it answers its key itself from then on. */
export function usePalette(): { open: () => void; element: ReactNode } {
  const [isWanted, setWanted] = useState(false)
  const open = () => (isWanted ? palette.open() : whenLoaded(() => setWanted(true)))
  useHotkeys(isWanted ? [] : [["mod + K", open]], [], true)
  return { open, element: <>{isWanted && <Palette />}</> }
}
