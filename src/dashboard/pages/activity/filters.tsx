import { Button, Checkbox, CloseButton, Popover, TextInput } from "@mantine/core"
import { IconFilter } from "@tabler/icons-react"
import { kindOf } from "../../parts/activity/describe.ts"
import { useActivityTypes } from "../../queries/activity.ts"
import { useContact } from "../../queries/contacts.ts"
import styles from "./activity-page.module.css"
import type { ActivityView } from "./view.ts"

interface FiltersProps {
  view: ActivityView
  onView(part: Partial<ActivityView>): void
}

/** The filters by type and period; that by contact comes by a link, and can be removed. */
export function Filters({ view, onView }: FiltersProps) {
  return (
    <>
      <Types chosen={view.types} onChoose={(types) => onView({ types })} />
      {(["from", "to"] as const).map((end) => (
        <TextInput
          key={end}
          className={styles.field ?? ""}
          type="date"
          size="sm"
          aria-label={end === "from" ? "From day" : "To day"}
          value={view[end]}
          onChange={(event) => onView({ [end]: event.currentTarget.value })}
        />
      ))}
      {view.contact !== "" && <OfContact id={view.contact} onRemove={() => onView({ contact: "" })} />}
    </>
  )
}

function Types({ chosen, onChoose }: { chosen: readonly string[]; onChoose(types: readonly string[]): void }) {
  const { data: types = [] } = useActivityTypes()
  const [first] = chosen
  const said = first === undefined ? "All types" : chosen.length === 1 ? kindOf(first).label : `${chosen.length} types`
  return (
    <Popover position="bottom-start" width={240} trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" size="xs" h={34} leftSection={<IconFilter size={15} stroke={1.7} />}>
          {said}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Types">
        <Checkbox.Group value={[...chosen]} onChange={onChoose}>
          <div className={styles.types}>
            {types.map((type) => (
              <Checkbox key={type} size="xs" value={type} label={kindOf(type).label} />
            ))}
          </div>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  )
}

function OfContact({ id, onRemove }: { id: string; onRemove(): void }) {
  const { data, isError } = useContact(id, undefined)
  return (
    <span className={styles.contact}>
      {data?.email ?? (isError ? "A contact that is gone" : "One contact")}
      <CloseButton aria-label="Activity of every contact" size="sm" onClick={onRemove} />
    </span>
  )
}
