import { Switch, Textarea, TextInput } from "@mantine/core"
import styles from "./data-fields.module.css"
import { DateField } from "./date-field.tsx"
import type { Draft } from "./draft.ts"

interface ValueFieldProps {
  draft: Draft
  label: string
  fault: string | undefined
  /** The placeholder of an empty field. */
  placeholder: string
  onEdit(part: Partial<Draft>): void
}

/** The direction of a text follows its letters. */
const ownDirection = { input: { dir: "auto" } }

/** The input for a value that is not an object or list. */
export function ValueField({ draft, label, fault, placeholder, onEdit }: ValueFieldProps) {
  const { kind, text, incomplete, on, long } = draft
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
      return <DateField {...common} text={text} incomplete={incomplete} onEdit={onEdit} />
    case "string":
      return long ? (
        <Textarea
          {...common}
          attributes={ownDirection}
          autosize
          minRows={1}
          maxRows={8}
          value={text}
          onChange={onText}
        />
      ) : (
        <TextInput {...common} attributes={ownDirection} value={text} onChange={onText} />
      )
    default:
      return <span className={styles.size}>nothing</span>
  }
}
