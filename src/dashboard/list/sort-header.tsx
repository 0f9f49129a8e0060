import { UnstyledButton } from "@mantine/core"
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react"
import styles from "./sort-header.module.css"

export interface Order<Sort extends string> {
  readonly sort: Sort
  readonly dir: "asc" | "desc"
}

interface SortHeaderProps<Sort extends string> {
  name: string
  by: NoInfer<Sort>
  /** The direction a person expects first: names from A, times from the newest. */
  first: "asc" | "desc"
  view: Order<Sort>
  onView(order: Order<Sort>): void
  className?: string | undefined
}

/** The header of a sortable column; a second click reverses the order. */
export function SortHeader<Sort extends string>({ name, by, first, view, onView, className }: SortHeaderProps<Sort>) {
  const active = view.sort === by
  const shown = active ? view.dir : first
  const Arrow = shown === "asc" ? IconArrowUp : IconArrowDown
  return (
    <th
      scope="col"
      className={className}
      {...(active ? { "aria-sort": shown === "asc" ? ("ascending" as const) : ("descending" as const) } : {})}
    >
      <UnstyledButton
        className={styles.button ?? ""}
        data-active={active || undefined}
        onClick={() => onView({ sort: by, dir: active ? (view.dir === "asc" ? "desc" : "asc") : first })}
      >
        {name}
        <Arrow size={13} stroke={2} aria-hidden="true" />
      </UnstyledButton>
    </th>
  )
}
