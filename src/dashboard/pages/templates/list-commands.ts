import {
  IconArrowBackUp,
  IconArrowDown,
  IconArrowUp,
  IconChevronLeft,
  IconChevronRight,
  IconEdit,
  IconRefresh,
  IconSearch,
} from "@tabler/icons-react"
import type { RefObject } from "react"
import type { Command } from "../../shell/commands.tsx"

interface ListActions {
  rows: RefObject<HTMLElement | null>
  search(): void
  refresh(): void
  open(id: string): void
  next: (() => void) | undefined
  previous: (() => void) | undefined
  clear: (() => void) | undefined
}

/** What can be done in the list of templates by key. The row with the focus is the one that is meant. */
export function listCommands({ rows, search, refresh, open, next, previous, clear }: ListActions): Command[] {
  const links = () => [...(rows.current?.querySelectorAll<HTMLElement>("[data-template]") ?? [])]
  const move = (step: 1 | -1) => {
    const all = links()
    const at = all.findIndex((link) => link.matches(":focus"))
    all[at < 0 ? 0 : at + step]?.focus()
  }
  const focused = () => links().find((link) => link.matches(":focus"))?.dataset.template
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
        const id = focused()
        if (id) open(id)
      },
    },
    { ...list, id: "search", label: "Search", icon: IconSearch, keys: ["/"], run: search },
    { ...list, id: "refresh", label: "Refresh", icon: IconRefresh, keys: ["r"], run: refresh },
    {
      ...list,
      id: "next-page",
      label: "Next page",
      icon: IconChevronRight,
      keys: ["]"],
      disabled: !next,
      run: () => next?.(),
    },
    {
      ...list,
      id: "previous-page",
      label: "Previous page",
      icon: IconChevronLeft,
      keys: ["["],
      disabled: !previous,
      run: () => previous?.(),
    },
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
