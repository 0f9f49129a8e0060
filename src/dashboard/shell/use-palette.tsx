import { useHotkeys } from "@mantine/hooks"
import { spotlight } from "@mantine/spotlight"
import { type ReactNode, useState } from "react"
import { lazy } from "../ui/on-demand.tsx"

const Palette = lazy(() => import("./palette.tsx"))

/** How this machine writes the palette's key. */
export const paletteKey = navigator.platform.startsWith("Mac") ? "⌘ K" : "Ctrl K"

/** The palette, which is loaded when it is first opened: it answers its key itself from then on. */
export function usePalette(): { open: () => void; palette: ReactNode } {
  const [isWanted, setWanted] = useState(false)
  const open = () => (isWanted ? spotlight.open() : setWanted(true))
  useHotkeys(isWanted ? [] : [["mod + K", open]], [], true)
  return { open, palette: <>{isWanted && <Palette />}</> }
}
