import { ActionIcon, Menu } from "@mantine/core"
import { IconDots } from "@tabler/icons-react"
import type { ReactNode } from "react"

interface RowMenuProps {
  /** The name of the row's item. */
  of: string
  width: number
  /** `MenuEntry`s. */
  children: ReactNode
}

/** The menu of actions at the end of a row. */
export function RowMenu({ of, width, children }: RowMenuProps) {
  return (
    <Menu position="bottom-end" width={width}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${of}`}>
          <IconDots size={17} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
