import { Button } from "@mantine/core"
import { IconArrowBackUp } from "@tabler/icons-react"
import { useCommands } from "../context/commands.tsx"
import { useDeletions, usePendingDeletions } from "../context/deletions.ts"
import { KeyCaps } from "../ui/keys.tsx"
import styles from "./undo-bar.module.css"

const key = "z"

/** Shows the last deletion, as long as it can be undone. */
export function UndoBar() {
  const { undo } = useDeletions()
  const undoable = usePendingDeletions().filter(({ isSending }) => !isSending)
  const last = undoable.at(-1)
  useCommands([
    {
      id: "undo-deletion",
      label: "Undo the deletion",
      group: "List",
      icon: IconArrowBackUp,
      keys: [key],
      disabled: last === undefined,
      run: undo,
    },
  ])
  const others = undoable.length - 1
  return (
    <div role="status" aria-label="Deleted">
      {last && (
        <div className={styles.bar} data-undo>
          <span className={styles.text}>
            Deleted <strong dir="auto">{last.name}</strong>
            {others > 0 && ` and ${others} more`}
          </span>
          <Button variant="subtle" size="compact-sm" aria-keyshortcuts={key} onClick={undo}>
            Undo
          </Button>
          <span className={styles.key} aria-hidden="true">
            <KeyCaps keys={[key]} />
          </span>
        </div>
      )}
    </div>
  )
}
