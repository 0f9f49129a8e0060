import { Button, CloseButton } from "@mantine/core"
import { type Icon, IconMail, IconMailOff, IconTrash } from "@tabler/icons-react"
import { useRef, useState } from "react"
import { type BulkOperation, type ContactFilter, startBulk } from "../../api/contacts.ts"
import { useChange } from "../../queries/use-change.ts"
import { confirm } from "../../ui/confirm.tsx"
import { count } from "../../ui/format.ts"
import { focusFromHere } from "../../ui/keep-focus.ts"
import styles from "./bulk-bar.module.css"
import { reachableContact } from "./contact-row.tsx"
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

interface Operation {
  readonly verb: string
  readonly icon: Icon
  /** The consequences, shown before it is done. */
  readonly loss: string
  /** Whether to ask first, because the operation cannot be undone with the same selection. */
  isAsked(selection: Selection): boolean
}

const bulkOperations = ["subscribe", "unsubscribe", "delete"] as const satisfies readonly BulkOperation[]
const operations: Readonly<Record<BulkOperation, Operation>> = {
  subscribe: {
    verb: "Subscribe",
    icon: IconMail,
    loss: "Whoever opted out gets campaigns and marketing mail again. Who that was is not known afterwards.",
    isAsked: (selection) => selection.of === "all" || selection.ids.size > 1,
  },
  unsubscribe: {
    verb: "Unsubscribe",
    icon: IconMailOff,
    loss: "They get transactional mail only from now on. Who was subscribed before is not known afterwards.",
    isAsked: (selection) => selection.of === "all",
  },
  delete: {
    verb: "Delete",
    icon: IconTrash,
    loss: "Their events go with them, and mail that waits for them is not sent. This cannot be undone.",
    isAsked: () => true,
  },
}

/** What can be done with the ticked contacts, in one job of the server. */
export function BulkBar({ selection, onSelection, filter, total, waiting }: BulkBarProps) {
  const jobs = useJobs()
  const [starting, setStarting] = useState<BulkOperation | null>(null)
  const change = useChange({
    send: (projectId, operation: BulkOperation) => startBulk(projectId, operation, targetOf(selection, filter)),
    title: "Not started",
  })
  const bar = useRef<HTMLDivElement>(null)
  const number = countOf(selection, total)
  const fault = tooMany(selection)

  // this button disappears with the selection
  const select = (selection: Selection) => {
    const moveFocus = focusFromHere()
    onSelection(selection)
    moveFocus(selection === nobody ? reachableContact : () => bar.current?.querySelector("button"))
  }
  const start = async (operation: BulkOperation) => {
    const moveFocus = focusFromHere()
    setStarting(operation)
    const id = await change.run(operation)
    if (id === undefined) moveFocus(() => bar.current?.querySelector("button"))
    else {
      jobs.add({ kind: "bulk", id })
      onSelection(nobody)
      moveFocus(reachableContact)
    }
    setStarting(null)
  }
  const begin = (operation: BulkOperation) => {
    const { verb, loss, isAsked } = operations[operation]
    if (!isAsked(selection)) return void start(operation)
    confirm({
      title: `${verb} ${count(number, "contact")}?`,
      text: loss,
      confirm: `${verb} ${number.toLocaleString("en")}`,
      cancel: operation === "delete" ? "Keep" : "Cancel",
      onConfirm: () => void start(operation),
    })
  }

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
      {bulkOperations.map((operation) => {
        const { verb, icon: Icon } = operations[operation]
        return (
          <Button
            key={operation}
            variant="default"
            size="xs"
            h={32}
            leftSection={<Icon size={15} stroke={1.7} />}
            loading={starting === operation}
            disabled={waiting || fault !== null || starting !== null}
            onClick={() => begin(operation)}
          >
            {verb}
          </Button>
        )
      })}
    </div>
  )
}
