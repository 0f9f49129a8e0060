import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react"
import type { Command } from "../context/commands.tsx"
import { Tool } from "../ui/tool.tsx"
import styles from "./paging.module.css"

/** Go to the next and the previous page; undefined where there is none. */
interface Steps {
  readonly next: (() => void) | undefined
  readonly previous: (() => void) | undefined
}

/** `page` is from 1. */
export const stepsFrom = (page: number, totalPages: number, turnTo: (page: number) => void): Steps => ({
  next: page < totalPages ? () => turnTo(page + 1) : undefined,
  // the requested page may be far beyond the last one
  previous: page > 1 ? () => turnTo(Math.max(1, Math.min(page - 1, totalPages))) : undefined,
})

export function pageCommands({ next, previous }: Steps): Command[] {
  const turn = (go: (() => void) | undefined) => ({ group: "List", disabled: !go, run: () => go?.() }) as const
  return [
    { ...turn(next), id: "next-page", label: "Next page", icon: IconChevronRight, keys: ["]"] },
    { ...turn(previous), id: "previous-page", label: "Previous page", icon: IconChevronLeft, keys: ["["] },
  ]
}

interface PageFootProps {
  /** The one whose rows are in view. */
  page: number
  pageSize: number
  total: number
  steps: Steps
}

/** The range of items in view, and buttons for the previous and next page. */
export function PageFoot({ page, pageSize, total, steps }: PageFootProps) {
  const first = (page - 1) * pageSize + 1
  const last = Math.min(first + pageSize - 1, total)
  const shown = first > total ? "None" : `${first.toLocaleString("en")} to ${last.toLocaleString("en")}`
  return (
    <footer className={styles.foot}>
      <span>{`${shown} of ${total.toLocaleString("en")}`}</span>
      <span className={styles.steps}>
        <Tool label="Previous page" shortcut="[" icon={IconChevronLeft} size="md" run={steps.previous} />
        <Tool label="Next page" shortcut="]" icon={IconChevronRight} size="md" run={steps.next} />
      </span>
    </footer>
  )
}
