import { IconArrowDown, IconArrowUp, IconRefresh, IconSearch } from "@tabler/icons-react"
import type { RefObject } from "react"
import type { Command } from "../context/commands.tsx"

interface RowToggleActions {
  /** The element that holds the rows. Each row is opened and closed by its own `[data-toggle]` button. */
  readonly rows: RefObject<HTMLElement | null>
  refresh(): void
  /** Undefined where the list cannot be searched. */
  readonly search: { readonly label: string; readonly field: RefObject<HTMLElement | null> } | undefined
}

/** The keyboard commands of a list whose rows open in place. */
export function rowToggleCommands({ rows, refresh, search }: RowToggleActions): Command[] {
  const move = (step: 1 | -1) => {
    const buttons = [...(rows.current?.querySelectorAll<HTMLElement>("[data-toggle]") ?? [])]
    const at = buttons.findIndex((button) => button.matches(":focus"))
    buttons[at < 0 ? 0 : at + step]?.focus()
  }
  const list = { group: "List" } as const
  const byKey = { ...list, keyOnly: true } as const
  return [
    { ...byKey, id: "next", label: "Next", icon: IconArrowDown, keys: ["j", "ArrowDown"], run: () => move(1) },
    { ...byKey, id: "previous", label: "Previous", icon: IconArrowUp, keys: ["k", "ArrowUp"], run: () => move(-1) },
    ...(search
      ? [
          {
            ...list,
            id: "search",
            label: search.label,
            icon: IconSearch,
            keys: ["/"],
            run: () => search.field.current?.focus(),
          },
        ]
      : []),
    { ...list, id: "refresh", label: "Refresh", icon: IconRefresh, keys: ["r"], run: refresh },
  ]
}
