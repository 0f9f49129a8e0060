import { ActionIcon, TextInput, Tooltip } from "@mantine/core"
import { IconCalendar, IconClock } from "@tabler/icons-react"
import { utcOf } from "../model/values.ts"
import styles from "./builder.module.css"
import type { Leading } from "./kind-menu.tsx"

interface DateInputProps {
  text: string
  leading: Leading
  invalid: boolean
  onText(text: string): void
}

/** A day, or a time in UTC. Times in other notations are shown in UTC. */
export function DateInput({ text, leading, invalid, onText }: DateInputProps) {
  const timed = text.length > 10
  const moment = timed ? (utcOf(text) ?? "") : ""
  return (
    <div className={styles.date}>
      <TextInput
        size="sm"
        aria-label={timed ? "Value in UTC" : "Value"}
        {...leading}
        error={invalid}
        type={timed ? "datetime-local" : "date"}
        value={timed ? moment.slice(0, 16) : text}
        onChange={({ currentTarget: { value } }) => onText(timed && value !== "" ? `${value.slice(0, 16)}:00Z` : value)}
      />
      <Tooltip label={timed ? "Without a time" : "With a time, in UTC"}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          disabled={text === ""}
          aria-label={timed ? "Without a time" : "With a time"}
          onClick={() => onText(timed ? moment.slice(0, 10) : `${text}T00:00:00Z`)}
        >
          {timed ? <IconCalendar size={16} stroke={1.6} /> : <IconClock size={16} stroke={1.6} />}
        </ActionIcon>
      </Tooltip>
      {timed && <span className={styles.hint}>UTC</span>}
    </div>
  )
}
