import { ActionIcon, Menu } from "@mantine/core"
import type { ReactNode } from "react"
import { kinds } from "../../data/kinds.ts"
import type { ValueKind } from "../model/values.ts"

/** The left section of an input. */
export interface Leading {
  readonly leftSection?: ReactNode
  readonly leftSectionPointerEvents?: "all"
}

export const leading = (menu: ReactNode): Leading =>
  menu ? { leftSection: menu, leftSectionPointerEvents: "all" } : {}

interface KindMenuProps {
  kind: ValueKind
  offered: readonly ValueKind[]
  onKind(kind: ValueKind): void
}

const lookOf = (kind: ValueKind) =>
  kind === "empty" ? { name: "Empty text", icon: kinds.string.icon } : kinds[kind === "nothing" ? "nothing" : kind]

/** Changes the type that a value is compared as. */
export function KindMenu({ kind, offered, onKind }: KindMenuProps) {
  const { name, icon: Icon } = lookOf(kind)
  return (
    <Menu position="bottom-start" width={160}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={30} aria-label={`Type of the value: ${name}`} title={name}>
          <Icon size={16} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Compare with</Menu.Label>
        {offered.map((one) => {
          const { name, icon: One } = lookOf(one)
          return (
            <Menu.Item key={one} leftSection={<One size={15} stroke={1.6} />} onClick={() => onKind(one)}>
              {name}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
