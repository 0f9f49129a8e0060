import { Button } from "@mantine/core"
import { IconFilter, IconX } from "@tabler/icons-react"
import { useRef, useState } from "react"
import type { ConditionJson, FilterJson } from "../../../../api/conditions.ts"
import ConditionBuilder from "../../../../parts/condition/builder/condition-builder.tsx"
import { type Block, newBlock } from "../../../../parts/condition/model/draft.ts"
import { draftOf } from "../../../../parts/condition/model/read.ts"
import { writeCondition } from "../../../../parts/condition/model/write.ts"
import { focusFromHere } from "../../../../ui/keep-focus.ts"
import { useEventData } from "./catalogue.ts"
import styles from "./forms.module.css"

interface EventFilterProps {
  filter: unknown
  /** The awaited event. */
  eventName: string
  fault: string | undefined
  onFilter(filter: ConditionJson | undefined): void
}

/** The condition on the data of the awaited event, if there is one. */
export function EventFilter({ filter, eventName, fault, onFilter }: EventFilterProps) {
  const catalogue = useEventData(eventName)
  const [draft, setDraft] = useState<Block | null>(() =>
    filter === undefined || filter === null ? null : draftOf(renamed(filter as ConditionJson, asData)),
  )
  const add = useRef<HTMLButtonElement>(null)
  const set = (next: Block | null) => {
    const isEmpty = next === null || next.items.length === 0
    if (isEmpty) focusFromHere()(() => add.current)
    setDraft(isEmpty ? null : next)
    onFilter(isEmpty ? undefined : renamed(writeCondition(next).condition, asEvent))
  }
  if (!draft)
    return (
      <div>
        <Button
          ref={add}
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconFilter size={14} stroke={1.8} />}
          onClick={() => set(newBlock("AND"))}
        >
          Only with certain data
        </Button>
      </div>
    )
  return (
    <div className={styles.condition}>
      <div className={styles.branchHead}>
        <span className={styles.label}>Only when its data match</span>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconX size={13} stroke={1.8} />}
          onClick={() => set(null)}
        >
          Any data
        </Button>
      </div>
      <ConditionBuilder draft={draft} onChange={set} faults={noFaults} catalogue={catalogue} />
      {fault && <p className={styles.fault}>{fault}</p>}
    </div>
  )
}

const noFaults = new Map()

/** The builder knows paths of `data`; those of the event are compared alike. */
const asData = (field: string): string => field.replace(/^event\./, "data.")
const asEvent = (field: string): string => field.replace(/^data\./, "event.")

const renamed = ({ logic, groups }: ConditionJson, name: (field: string) => string): ConditionJson => ({
  logic,
  groups: groups.map(({ filters, conditions }) => ({
    filters: filters.map((filter): FilterJson => ({ ...filter, field: name(filter.field) })),
    ...(conditions ? { conditions: renamed(conditions, name) } : {}),
  })),
})
