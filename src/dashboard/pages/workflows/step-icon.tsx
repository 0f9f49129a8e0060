import type { StepType } from "../../api/workflows.ts"
import { kinds } from "./editor/model/kinds.ts"
import styles from "./step-icon.module.css"

interface StepIconProps {
  type: StepType
  /** Of the square around it, in px. */
  size: number
}

/** The icon of a type of step, in its tone. */
export function StepIcon({ type, size }: StepIconProps) {
  const { icon: Icon, tone } = kinds[type]
  return (
    <span className={styles.icon} data-tone={tone} style={{ width: size, height: size }}>
      <Icon size={size / 2} stroke={1.7} />
    </span>
  )
}
