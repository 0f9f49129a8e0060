import { Button, Popover } from "@mantine/core"
import { IconAlertTriangle } from "@tabler/icons-react"
import { count } from "../../../ui/format.ts"
import styles from "./editor.module.css"
import type { StepFault } from "./model/faults.ts"
import { type Graph, stepIn } from "./model/graph.ts"

interface FaultListProps {
  graph: Graph
  faults: readonly StepFault[]
  opened: boolean
  onOpened(opened: boolean): void
  onStep(id: string): void
}

/** Everything that is missing before the workflow can be enabled; each leads to its step. */
export function FaultList({ graph, faults, opened, onOpened, onStep }: FaultListProps) {
  const wrong = faults.filter(({ isHint }) => !isHint).length
  if (faults.length === 0) return null
  const label = wrong > 0 ? `${wrong} missing` : count(faults.length, "hint")
  const [number, word] = label.split(" ")
  return (
    <Popover opened={opened} onChange={onOpened} position="bottom-end" width={320} trapFocus>
      <Popover.Target>
        <Button
          size="xs"
          h={32}
          variant="subtle"
          {...(wrong > 0 ? { color: "red" } : { color: "gray" })}
          aria-label={label}
          leftSection={<IconAlertTriangle size={15} stroke={1.8} />}
          onClick={() => onOpened(!opened)}
        >
          {number}
          <span className={styles.wide}> {word}</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={6}>
        <ul className={styles.faultList} aria-label="What is missing">
          {faults.map((fault) => (
            <li key={`${fault.stepId} ${fault.key} ${fault.text}`} data-hint={fault.isHint || undefined}>
              <button
                type="button"
                onClick={() => {
                  onOpened(false)
                  onStep(fault.stepId)
                }}
              >
                {stepIn(graph, fault.stepId)?.name}
                <small>{fault.text}</small>
              </button>
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  )
}
