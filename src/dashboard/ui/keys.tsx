import { Kbd } from "@mantine/core"
import styles from "./keys.module.css"

const shown: Record<string, string> = {
  ArrowDown: "↓",
  ArrowUp: "↑",
  Escape: "Esc",
  Delete: "Del",
  Enter: "↵",
}

/** How this machine writes a key that is pressed with Ctrl or Cmd. */
export const withControl = (key: string): string => `${navigator.platform.startsWith("Mac") ? "⌘" : "Ctrl"} ${key}`

/** Keys as caps, in the order given, separated by "or" when there are several. */
export function KeyCaps({ keys }: { keys: readonly string[] }) {
  return (
    <span className={styles.keys}>
      {keys.map((key) => (
        <Kbd key={key} size="xs" className={styles.key}>
          {shown[key] ?? (/^[A-Z]$/.test(key) ? `⇧ ${key}` : key.length === 1 ? key.toUpperCase() : key)}
        </Kbd>
      ))}
    </span>
  )
}
