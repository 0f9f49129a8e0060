import { IconArrowDown, IconArrowUp, IconFilter, IconRefresh } from "@tabler/icons-react"
import type { RefObject } from "react"
import type { Command } from "../../context/commands.tsx"

interface Parts {
  /** Where the rows are: they open and close by their own buttons. */
  readonly rows: RefObject<HTMLElement | null>
  readonly field?: RefObject<HTMLInputElement | null>
  refresh(): void
}

/** What can be done by key with a list whose rows open in place. */
export function listCommands({ rows, field, refresh }: Parts): Command[] {
  const move = (step: 1 | -1) => {
    const buttons = [...(rows.current?.querySelectorAll<HTMLElement>("[data-toggle]") ?? [])]
    const at = buttons.findIndex((button) => button.matches(":focus"))
    buttons[at < 0 ? 0 : at + step]?.focus()
  }
  const list = { group: "List", keyOnly: true } as const
  return [
    { ...list, id: "next", label: "Next", icon: IconArrowDown, keys: ["j", "ArrowDown"], run: () => move(1) },
    { ...list, id: "previous", label: "Previous", icon: IconArrowUp, keys: ["k", "ArrowUp"], run: () => move(-1) },
    ...(field
      ? [
          {
            id: "filter",
            group: "List" as const,
            label: "Filter by name",
            icon: IconFilter,
            keys: ["/"],
            run: () => field.current?.focus(),
          },
        ]
      : []),
    { id: "refresh", group: "List", label: "Refresh", icon: IconRefresh, keys: ["r"], run: refresh },
  ]
}
