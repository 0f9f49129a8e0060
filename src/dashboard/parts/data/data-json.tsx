import "../code/json-parser.ts"
import { Button } from "@mantine/core"
import { useId } from "react"
import styles from "./data-json.module.css"
import { readJson, writeJson } from "./json-text.ts"

interface DataJsonProps {
  text: string
  /** Why the text cannot be saved. */
  fault: string | null
  onChange(text: string): void
}

/** All custom fields as one JSON object. */
export default function DataJson({ text, fault, onChange }: DataJsonProps) {
  const help = useId()
  const format = () => {
    const reading = readJson(text)
    if ("data" in reading) onChange(writeJson(reading.data))
  }
  return (
    <div className={styles.json}>
      <textarea
        className={styles.area}
        aria-label="Data as JSON"
        aria-describedby={help}
        aria-invalid={fault !== null}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <div className={styles.line} id={help}>
        {fault ? (
          <span className={styles.fault} role="alert">
            {fault}
          </span>
        ) : (
          <span>A key that is missing here, or null, is removed from the contact.</span>
        )}
        <Button variant="subtle" color="gray" size="compact-xs" disabled={fault !== null} onClick={format}>
          Format
        </Button>
      </div>
    </div>
  )
}
