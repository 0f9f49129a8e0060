import { VisuallyHidden } from "@mantine/core"
import { IconAlertTriangle, IconUser } from "@tabler/icons-react"
import { Handle, type Node, type NodeProps, Position } from "@xyflow/react"
import { memo } from "react"
import { StepIcon } from "../../step-icon.tsx"
import type { Step } from "../model/graph.ts"
import { kinds } from "../model/kinds.ts"
import styles from "./canvas.module.css"
import { useCanvas } from "./context.ts"

export interface StepData extends Record<string, unknown> {
  readonly step: Step
  readonly summary: string
  /** What is wrong with it, in one line; `""` for nothing. */
  readonly fault: string
  /** Whether the fault is only a hint. */
  readonly isHint: boolean
  /** How many people stand on it; null where that is unknown. */
  readonly people: number | null
  /** Whether keys reach it by Tab: one of all steps does. */
  readonly isTabStop: boolean
  readonly isChosen: boolean
  /** How a simulation or an execution passed it. */
  readonly trace: "passed" | "ended" | "failed" | "beside" | null
}

export type StepNodeType = Node<StepData, "step">

/** A step as a card: its type, its name, and what it does. */
export const StepNode = memo(function StepNode({ data }: NodeProps<StepNodeType>) {
  const { step, summary, fault, isHint, people, isTabStop, isChosen, trace } = data
  const { choose, openMenu, showPeople } = useCanvas()
  const { tone, name: typeName } = kinds[step.type]
  const shown = fault !== "" && !isHint ? fault : summary || typeName
  const unseen = [typeName, fault].filter((text) => text !== shown && text !== "").join(". ")
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} className={styles.handle ?? ""} />
      <div className={styles.step} data-chosen={isChosen || undefined} data-trace={trace ?? undefined}>
        <button
          type="button"
          className={`${styles.card} nopan`}
          data-stop={step.id}
          data-tone={tone}
          data-fault={fault === "" ? undefined : isHint ? "hint" : "error"}
          tabIndex={isTabStop ? 0 : -1}
          aria-pressed={isChosen}
          draggable={openMenu !== null && step.type !== "TRIGGER"}
          onDragStart={(event) => {
            event.dataTransfer.setData("application/x-mailstead-step", step.id)
            event.dataTransfer.effectAllowed = "move"
          }}
          onClick={({ shiftKey, metaKey, ctrlKey, detail }) =>
            choose(step.id, { more: shiftKey || metaKey || ctrlKey, byKey: detail === 0 })
          }
        >
          <StepIcon type={step.type} size={36} />
          <span className={styles.texts}>
            <span className={styles.name} dir="auto">
              {step.name}
            </span>
            <span className={styles.summary} dir="auto">
              {shown}
            </span>
          </span>
          {unseen !== "" && <VisuallyHidden>, {unseen}</VisuallyHidden>}
          {fault !== "" && <IconAlertTriangle className={styles.warning ?? ""} size={16} stroke={1.8} />}
        </button>
        {people !== null && people > 0 && (
          <button
            type="button"
            className={`${styles.people} nopan`}
            tabIndex={isTabStop ? 0 : -1}
            aria-label={`${people.toLocaleString("en")} on this step: show them`}
            onClick={() => showPeople(step.id)}
          >
            <IconUser size={12} stroke={2} />
            {people.toLocaleString("en")}
          </button>
        )}
      </div>
      <Handle type="source" position={Position.Bottom} isConnectable={false} className={styles.handle ?? ""} />
    </>
  )
})
