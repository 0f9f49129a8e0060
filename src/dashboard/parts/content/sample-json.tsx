import "../code/json-parser.ts"
import { readJson } from "../data/json-text.ts"
import styles from "./preview-as.module.css"

/** The values of a preview, typed as JSON. */
export default function SampleJson({ text, onText }: { text: string; onText(text: string): void }) {
  const reading = readJson(text)
  const fault = "fault" in reading ? reading.fault : null
  return (
    <div>
      <textarea
        className={styles.json}
        aria-label="Preview data as JSON"
        aria-invalid={fault !== null}
        spellCheck={false}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
      />
      {fault && (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}
