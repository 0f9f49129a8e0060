import { Button, CloseButton } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { IconMail, IconMailOff, IconTrash } from "@tabler/icons-react"
import { useRef, useState } from "react"
import { useSession } from "../../shell/session.tsx"
import { confirm } from "../../ui/confirm.tsx"
import { count, reasonOf } from "../../ui/format.ts"
import { type BulkOperation, type ContactFilter, startBulk } from "./api.ts"
import styles from "./bulk-bar.module.css"
import { reachableContact } from "./contact-row.tsx"
import { focusFromHere } from "./focus.ts"
import { useJobs } from "./jobs/jobs.tsx"
import { isFiltered } from "./list-view.ts"
import { countOf, everyone, nobody, type Selection, targetOf, tooMany } from "./selection.ts"

interface BulkBarProps {
  selection: Selection
  onSelection(selection: Selection): void
  filter: ContactFilter
  /** How many match the filter. */
  total: number
  /** Whether that number is not known yet. */
  waiting: boolean
}

/** What can be done with the ticked contacts, in one job of the server. */
export function BulkBar({ selection, onSelection, filter, total, waiting }: BulkBarProps) {
  const { project } = useSession()
  const jobs = useJobs()
  const [starting, setStarting] = useState<BulkOperation | null>(null)
  const bar = useRef<HTMLDivElement>(null)
  const number = countOf(selection, total)
  const fault = tooMany(selection)

  // what is clicked here goes with the selection that it was for
  const select = (selection: Selection) => {
    const goOn = focusFromHere()
    onSelection(selection)
    goOn(selection === nobody ? reachableContact : () => bar.current?.querySelector("button"))
  }
  const start = async (operation: BulkOperation) => {
    const goOn = focusFromHere()
    setStarting(operation)
    try {
      jobs.add({ kind: "bulk", id: await startBulk(project.id, operation, targetOf(selection, filter)) })
      onSelection(nobody)
      goOn(reachableContact)
    } catch (cause) {
      notifications.show({ color: "red", title: "Not started", message: reasonOf(cause) })
      goOn(() => bar.current?.querySelector("button"))
    }
    setStarting(null)
  }
  const askToDelete = () =>
    confirm({
      title: `Delete ${count(number, "contact")}?`,
      text: "Their events go with them, and mail that waits for them is not sent. This cannot be undone.",
      confirm: `Delete ${number.toLocaleString("en")}`,
      onConfirm: () => void start("delete"),
    })
  const button = (operation: BulkOperation) => ({
    variant: "default",
    size: "xs",
    h: 32,
    loading: starting === operation,
    disabled: waiting || fault !== null || starting !== null,
  })

  return (
    <div ref={bar} className={styles.bar} role="toolbar" aria-label="Selected contacts">
      <CloseButton size="sm" aria-label="Clear selection" onClick={() => select(nobody)} />
      <span className={styles.count}>{number.toLocaleString("en")} selected</span>
      {selection.of === "some" && number < total && (
        <Button variant="subtle" size="compact-sm" disabled={waiting} onClick={() => select(everyone)}>
          Select all {total.toLocaleString("en")}
          {isFiltered(filter) && <span className={styles.wide}>&nbsp;that match</span>}
        </Button>
      )}
      {fault && <span className={styles.note}>{fault}</span>}
      <span className={styles.gap} />
      <Button
        {...button("subscribe")}
        leftSection={<IconMail size={15} stroke={1.7} />}
        onClick={() => start("subscribe")}
      >
        Subscribe
      </Button>
      <Button
        {...button("unsubscribe")}
        leftSection={<IconMailOff size={15} stroke={1.7} />}
        onClick={() => start("unsubscribe")}
      >
        Unsubscribe
      </Button>
      <Button {...button("delete")} leftSection={<IconTrash size={15} stroke={1.7} />} onClick={askToDelete}>
        Delete
      </Button>
    </div>
  )
}
