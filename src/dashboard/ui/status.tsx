import type { EmailStatus } from "../api/emails.ts"
import { sentenceCase } from "./format.ts"
import styles from "./status.module.css"

type Tone = "quiet" | "moving" | "good" | "engaged" | "warning" | "bad" | "inbound"

const tones: Record<EmailStatus, Tone> = {
  PENDING: "quiet",
  SENDING: "moving",
  SENT: "moving",
  DELIVERED: "good",
  OPENED: "engaged",
  CLICKED: "engaged",
  BOUNCED: "bad",
  COMPLAINED: "warning",
  FAILED: "bad",
  CANCELLED: "quiet",
  RECEIVED: "inbound",
}

/** A status as a dot and a word; `pill` gives it a ground of its own. */
export function Status({ status, pill = false }: { status: EmailStatus; pill?: boolean }) {
  return (
    <span className={styles.status} data-tone={tones[status]} data-pill={pill || undefined}>
      {sentenceCase(status)}
    </span>
  )
}
