import { ActionIcon, Menu, Tooltip } from "@mantine/core"
import { useLocalStorage } from "@mantine/hooks"
import { IconColumns3 } from "@tabler/icons-react"
import { useSession } from "../../shell/session.tsx"
import type { Field } from "./api.ts"
import { useFields } from "./queries.ts"

const shownAtFirst = 3
export const mostColumns = 8

export interface Columns {
  /** Keys of `data`, in the order of the table. */
  readonly shown: readonly string[]
  /** All there are. */
  readonly known: readonly string[]
  choose(keys: readonly string[] | null): void
}

const keyOf = ({ field }: Field): string => field.slice("data.".length)

/** Which custom fields have a column: those chosen in this browser, or else the most common ones. */
export function useColumns(): Columns {
  const { project } = useSession()
  const fields = useFields().data ?? []
  const [chosen, choose] = useLocalStorage<readonly string[] | null>({
    key: `posthorn.columns.${project.id}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  const custom = fields.filter(({ isCustom }) => isCustom)
  const known = custom.map(keyOf)
  const common = [...custom]
    .sort((a, b) => b.coverage - a.coverage)
    .slice(0, shownAtFirst)
    .map(keyOf)
  const wanted = Array.isArray(chosen) ? chosen : common
  return { known, shown: known.filter((key) => wanted.includes(key)).slice(0, mostColumns), choose }
}

export function ColumnsMenu({ shown, known, choose }: Columns) {
  const toggle = (key: string) => choose(shown.includes(key) ? shown.filter((other) => other !== key) : [...shown, key])
  if (known.length === 0) return null
  return (
    <Menu position="bottom-end" width={230} closeOnItemClick={false}>
      <Menu.Target>
        <Tooltip label="Columns">
          <ActionIcon variant="default" size={36} aria-label="Columns">
            <IconColumns3 size={17} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown mah="min(420px, 60dvh)" style={{ overflowY: "auto" }}>
        <Menu.Label>Fields in the table</Menu.Label>
        {known.map((key) => (
          <Menu.CheckboxItem
            key={key}
            checked={shown.includes(key)}
            disabled={!shown.includes(key) && shown.length >= mostColumns}
            onChange={() => toggle(key)}
          >
            {key}
          </Menu.CheckboxItem>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => choose(null)}>The most common ones</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
