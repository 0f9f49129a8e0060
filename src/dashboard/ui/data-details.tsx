import type { ReactNode } from "react"
import styles from "./data-details.module.css"

/** A line that opens to show some data. */
export const DataDetails = ({ summary, text }: { summary: ReactNode; text: string }) => (
  <details className={styles.details}>
    <summary>{summary}</summary>
    <DataText text={text} />
  </details>
)

/** Data or plain text as it is, which scrolls when it is long. */
export const DataText = ({ text }: { text: string }) => <pre className={styles.text}>{text}</pre>
