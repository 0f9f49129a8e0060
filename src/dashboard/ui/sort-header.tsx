import { UnstyledButton } from "@mantine/core"
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react"
import styles from "./sort-header.module.css"

interface SortHeaderProps<K extends string> {
  name: string
  by: K
  sort: string
  dir: "asc" | "desc"
  /** The direction a person expects first: names from A, times from the newest. */
  first: "asc" | "desc"
  onSort(by: K, dir: "asc" | "desc"): void
  className?: string | undefined
}

/** The head of a column by which a table can be sorted; a second click turns the order around. */
export function SortHeader<K extends string>({ name, by, sort, dir, first, onSort, className }: SortHeaderProps<K>) {
  const active = sort === by
  const shown = active ? dir : first
  const Arrow = shown === "asc" ? IconArrowUp : IconArrowDown
  return (
    <th
      scope="col"
      className={className}
      {...(active ? { "aria-sort": dir === "asc" ? ("ascending" as const) : ("descending" as const) } : {})}
    >
      <UnstyledButton
        className={styles.button ?? ""}
        data-active={active || undefined}
        onClick={() => onSort(by, active ? (dir === "asc" ? "desc" : "asc") : first)}
      >
        {name}
        <Arrow size={13} stroke={2} aria-hidden="true" />
      </UnstyledButton>
    </th>
  )
}
