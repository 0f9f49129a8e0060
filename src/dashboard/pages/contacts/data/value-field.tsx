import { ActionIcon, Switch, Textarea, TextInput, Tooltip } from "@mantine/core"
import { IconCalendar, IconClock } from "@tabler/icons-react"
import styles from "./data-fields.module.css"
import type { Draft } from "./draft.ts"

interface ValueFieldProps {
  draft: Draft
  label: string
  fault: string | undefined
  /** What an empty field says. */
  placeholder: string
  onEdit(part: Partial<Draft>): void
}

/** The input that a simple value asks for. */
export function ValueField({ draft, label, fault, placeholder, onEdit }: ValueFieldProps) {
  const { kind, text, on, long } = draft
  const common = { size: "sm", "aria-label": label, error: fault, placeholder } as const
  const onText = (event: { currentTarget: { value: string } }) => onEdit({ text: event.currentTarget.value })
  switch (kind) {
    case "boolean":
      return (
        <div className={styles.switch}>
          <Switch
            size="sm"
            aria-label={label}
            label={on ? "Yes" : "No"}
            checked={on}
            onChange={(event) => onEdit({ on: event.currentTarget.checked })}
          />
        </div>
      )
    case "number":
      return <TextInput {...common} inputMode="decimal" value={text} onChange={onText} />
    case "date":
      return <DateField {...common} text={text} onText={(changed) => onEdit({ text: changed })} />
    case "string":
      return long ? (
        <Textarea {...common} autosize minRows={1} maxRows={8} value={text} onChange={onText} />
      ) : (
        <TextInput {...common} value={text} onChange={onText} />
      )
    default:
      return <span className={styles.size}>nothing</span>
  }
}

interface DateFieldProps {
  text: string
  "aria-label": string
  size: "sm"
  error: string | undefined
  placeholder: string
  onText(text: string): void
}

/** A day, or a moment in UTC: what A2.3 knows as dates. */
function DateField({ text, onText, ...common }: DateFieldProps) {
  const timed = text.length > 10
  const hasSeconds = timed && text.slice(17, 19) !== "00"
  return (
    <div className={styles.date}>
      {timed ? (
        <TextInput
          {...common}
          type="datetime-local"
          {...(hasSeconds ? { step: 1 } : {})}
          value={text.slice(0, hasSeconds ? 19 : 16)}
          onChange={({ currentTarget: { value } }) => onText(value === "" ? "" : `${value.padEnd(19, ":00")}Z`)}
        />
      ) : (
        <TextInput {...common} type="date" value={text} onChange={(event) => onText(event.currentTarget.value)} />
      )}
      <Tooltip label={timed ? "Without a time" : "With a time, in UTC"}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          disabled={text === ""}
          aria-label={timed ? `${common["aria-label"]} without a time` : `${common["aria-label"]} with a time`}
          onClick={() => onText(timed ? text.slice(0, 10) : `${text}T00:00:00Z`)}
        >
          {timed ? <IconCalendar size={16} stroke={1.6} /> : <IconClock size={16} stroke={1.6} />}
        </ActionIcon>
      </Tooltip>
    </div>
  )
}
