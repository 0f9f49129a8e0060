import { createContext, useContext } from "react"

export const MenuContext = createContext<() => void>(() => {})

/** Opens the navigation where the screen is too narrow to keep it in view. */
export const useOpenMenu = (): (() => void) => useContext(MenuContext)
