import { Menu } from "@mantine/core"
import type { Icon } from "@tabler/icons-react"
import type { ReactNode } from "react"
import { afterFocusReturn } from "./after-focus-return.ts"

interface MenuEntryProps {
  icon: Icon
  run(): void
  /** Whether it is destructive. */
  danger?: boolean
  children: ReactNode
}

/** One entry of a menu of commands. */
export function MenuEntry({ icon: Picture, run, danger = false, children }: MenuEntryProps) {
  return (
    <Menu.Item
      // not "red", which Menu.Item takes from the light scheme in the dark one too
      {...(danger ? { color: "var(--mantine-color-error)" } : {})}
      leftSection={<Picture size={16} stroke={1.6} />}
      onClick={() => afterFocusReturn(run)}
    >
      {children}
    </Menu.Item>
  )
}
