import { ActionIcon, Menu, Tooltip } from "@mantine/core"
import { useLocalStorage } from "@mantine/hooks"
import { IconColumns3 } from "@tabler/icons-react"
import { useEffect } from "react"
import type { Field } from "../../api/contacts.ts"
import { useSession } from "../../context/session.ts"
import { useFields } from "../../queries/contacts.ts"

const shownAtFirst = 3
const mostColumns = 8

interface Columns {
  /** Keys of `data`, in the order of the table. */
  readonly shown: readonly string[]
  /** All keys. */
  readonly known: readonly string[]
  readonly common: readonly string[]
  choose(keys: readonly string[]): void
}

const keyOf = ({ field }: Field): string => field.slice("data.".length)

/**
 * The custom fields with a column, as chosen in this browser. As soon as there are enough fields, the most common ones
 * are chosen, and stay even if others become more common.
 */
export function useColumns(): Columns {
  const { project } = useSession()
  const fields = useFields().data ?? []
  const [chosen, choose] = useLocalStorage<readonly string[] | null>({
    key: `mailstead.columns.${project.id}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  const custom = fields.filter(({ isCustom }) => isCustom)
  const known = custom.map(keyOf)
  const common = [...custom]
    .sort((a, b) => b.coverage - a.coverage)
    .slice(0, shownAtFirst)
    .map(keyOf)
  const isChosen = Array.isArray(chosen)
  const wanted = isChosen ? chosen : common
  const isDue = !isChosen && common.length === shownAtFirst
  useEffect(() => {
    if (isDue) choose(common)
  })
  return { known, common, shown: known.filter((key) => wanted.includes(key)).slice(0, mostColumns), choose }
}

export function ColumnsMenu({ shown, known, common, choose }: Columns) {
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
            title={key}
            checked={shown.includes(key)}
            disabled={!shown.includes(key) && shown.length >= mostColumns}
            onChange={() => toggle(key)}
          >
            {key}
          </Menu.CheckboxItem>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => choose(common)}>The most common ones</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
