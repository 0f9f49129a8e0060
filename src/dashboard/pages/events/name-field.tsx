import { Select } from "@mantine/core"
import { IconFilter } from "@tabler/icons-react"
import type { RefObject } from "react"
import { useNames } from "../../queries/events.ts"
import styles from "./events-page.module.css"

interface NameFieldProps {
  /** `""` is every name. */
  value: string
  onChange(name: string): void
  fieldRef: RefObject<HTMLInputElement | null>
}

/** Chooses one of the names of events, by typing a part of it. */
export function NameField({ value, onChange, fieldRef }: NameFieldProps) {
  const { data: names = [], isSuccess } = useNames()
  const counts = new Map(names.map(({ name, count }) => [name, count]))
  const known = names.map(({ name }) => name)
  return (
    <Select
      ref={fieldRef}
      className={styles.field ?? ""}
      size="sm"
      aria-label="Name"
      placeholder="All events"
      data={value === "" || counts.has(value) ? known : [value, ...known]}
      value={value === "" ? null : value}
      onChange={(chosen) => onChange(chosen ?? "")}
      searchable
      // also for text typed before the names were loaded
      selectFirstOptionOnChange={isSuccess}
      clearable
      limit={100}
      // a scroll area would be as wide as the longest name
      withScrollArea={false}
      classNames={{ dropdown: styles.dropdown ?? "" }}
      nothingFoundMessage="No such name"
      clearButtonProps={{ "aria-label": "Show all events" }}
      leftSection={<IconFilter size={16} stroke={1.7} />}
      renderOption={({ option }) => (
        <span className={styles.option}>
          <span>{option.value}</span>
          <small>{(counts.get(option.value) ?? 0).toLocaleString("en")}</small>
        </span>
      )}
    />
  )
}
