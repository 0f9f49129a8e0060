import { IconArrowBackUp, IconArrowDown, IconArrowUp, IconEdit, IconRefresh, IconSearch } from "@tabler/icons-react"
import type { RefObject } from "react"
import type { Command } from "../context/commands.tsx"
import { rowLinks } from "./rows.ts"

interface ListActions {
  /** Where the rows are. */
  rows: RefObject<HTMLElement | null>
  search(): void
  refresh(): void
  /** Undefined when nothing is filtered. */
  clear: (() => void) | undefined
}

/** The keyboard commands of a list. They apply to the focused row. */
export function listCommands({ rows, search, refresh, clear }: ListActions): Command[] {
  const links = () => rowLinks(rows.current)
  const focused = () => links().findIndex((link) => link.matches(":focus"))
  const move = (step: 1 | -1) => {
    const at = focused()
    links()[at < 0 ? 0 : at + step]?.focus()
  }
  const list = { group: "List" } as const
  const byKey = { ...list, keyOnly: true } as const
  return [
    { ...byKey, id: "next", label: "Next", icon: IconArrowDown, keys: ["j", "ArrowDown"], run: () => move(1) },
    { ...byKey, id: "previous", label: "Previous", icon: IconArrowUp, keys: ["k", "ArrowUp"], run: () => move(-1) },
    {
      ...byKey,
      id: "open",
      label: "Open",
      icon: IconEdit,
      keys: ["o", "Enter"],
      run: () => links()[focused()]?.click(),
    },
    { ...list, id: "search", label: "Search", icon: IconSearch, keys: ["/"], run: search },
    { ...list, id: "refresh", label: "Refresh", icon: IconRefresh, keys: ["r"], run: refresh },
    {
      ...byKey,
      id: "clear",
      label: "Clear the search",
      icon: IconArrowBackUp,
      keys: ["Escape"],
      disabled: !clear,
      run: () => clear?.(),
    },
  ]
}
