import { ActionIcon, Tooltip } from "@mantine/core"
import type { Icon } from "@tabler/icons-react"
import { KeyCaps } from "./keys.tsx"
import styles from "./tool.module.css"

interface ToolProps {
  label: string
  /** As `KeyboardEvent.key` has it. */
  shortcut?: string
  icon: Icon
  /** Disabled while undefined. */
  run: (() => void) | undefined
  size?: "sm" | "md" | "lg"
}

/** An action as an icon; its name and key are shown in a tooltip. */
export function Tool({ label, shortcut, icon: Icon, run, size = "lg" }: ToolProps) {
  return (
    <Tooltip
      openDelay={500}
      label={
        <span className={styles.tip}>
          {label} {shortcut && <KeyCaps keys={[shortcut]} />}
        </span>
      }
    >
      <ActionIcon
        className={styles.tool ?? ""}
        variant="subtle"
        color="gray"
        size={size}
        aria-label={label}
        disabled={!run}
        onClick={run}
      >
        <Icon size={size === "sm" ? 16 : 18} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  )
}
