import { Button, Checkbox, Popover, Stack } from "@mantine/core"
import { IconFilter } from "@tabler/icons-react"
import { kindOf } from "../../parts/activity/describe.ts"
import { useActivityTypes } from "../../queries/activity.ts"

interface TypesFilterProps {
  /** Separated by commas; `""` is all types. */
  chosen: string
  onChoose(types: string): void
}

export function TypesFilter({ chosen, onChoose }: TypesFilterProps) {
  const { data: types = [] } = useActivityTypes()
  const names = chosen.split(",").filter((type) => type !== "")
  const [first] = names
  const said = first === undefined ? "All types" : names.length === 1 ? kindOf(first).label : `${names.length} types`
  return (
    <Popover position="bottom-start" width={240} trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" size="xs" h={34} leftSection={<IconFilter size={15} stroke={1.7} />}>
          {said}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Types">
        <Checkbox.Group value={names} onChange={(types) => onChoose(types.join(","))}>
          <Stack gap={9}>
            {types.map((type) => (
              <Checkbox key={type} size="xs" value={type} label={kindOf(type).label} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  )
}
