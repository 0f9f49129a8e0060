import { IconArrowDown, IconArrowUp, IconRefresh, IconSearch } from "@tabler/icons-react"
import type { RefObject } from "react"
import type { Command } from "../../../context/commands.tsx"

interface FieldActions {
  readonly rows: RefObject<HTMLElement | null>
  refresh(): void
  /** Undefined where there is nothing to search. */
  readonly search: RefObject<HTMLElement | null> | undefined
}

/** What can be done with the catalogue by key: the rows open and close by their own buttons. */
export function fieldCommands({ rows, refresh, search }: FieldActions): Command[] {
  const move = (step: 1 | -1) => {
    const buttons = [...(rows.current?.querySelectorAll<HTMLElement>("[data-toggle]") ?? [])]
    const at = buttons.findIndex((button) => button.matches(":focus"))
    buttons[at < 0 ? 0 : at + step]?.focus()
  }
  const list = { group: "List", keyOnly: true } as const
  return [
    { ...list, id: "next", label: "Next", icon: IconArrowDown, keys: ["j", "ArrowDown"], run: () => move(1) },
    { ...list, id: "previous", label: "Previous", icon: IconArrowUp, keys: ["k", "ArrowUp"], run: () => move(-1) },
    {
      id: "search",
      group: "List",
      label: "Search",
      icon: IconSearch,
      keys: ["/"],
      disabled: !search,
      run: () => search?.current?.focus(),
    },
    { id: "refresh", group: "List", label: "Refresh", icon: IconRefresh, keys: ["r"], run: refresh },
  ]
}
