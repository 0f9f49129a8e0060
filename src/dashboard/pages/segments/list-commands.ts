import { IconArrowBackUp, IconArrowDown, IconArrowUp, IconEdit, IconRefresh, IconSearch } from "@tabler/icons-react"
import type { RefObject } from "react"
import type { Command } from "../../shell/commands.tsx"

interface ListActions {
  rows: RefObject<HTMLElement | null>
  search(): void
  refresh(): void
  open(id: string): void
  /** Undefined when nothing is searched. */
  clear: (() => void) | undefined
}

/** What can be done in the list of segments by key. The row with the focus is the one that is meant. */
export function listCommands({ rows, search, refresh, open, clear }: ListActions): Command[] {
  const links = () => [...(rows.current?.querySelectorAll<HTMLElement>("[data-segment]") ?? [])]
  const move = (step: 1 | -1) => {
    const all = links()
    const at = all.findIndex((link) => link.matches(":focus"))
    all[at < 0 ? 0 : at + step]?.focus()
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
      run: () => {
        const id = links().find((link) => link.matches(":focus"))?.dataset.segment
        if (id) open(id)
      },
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
