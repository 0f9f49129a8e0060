import type { ReactNode } from "react"
import type { EmailStatus } from "../api/emails.ts"
import { sentenceCase } from "./format.ts"
import styles from "./status.module.css"

export type Tone = "quiet" | "moving" | "good" | "engaged" | "warning" | "bad" | "inbound"

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

interface MarkProps {
  tone: Tone
  /** Gives it a ground of its own. */
  pill?: boolean
  children: ReactNode
}

/** A state as a dot and a word. */
export const StatusMark = ({ tone, pill = false, children }: MarkProps) => (
  <span className={styles.status} data-tone={tone} data-pill={pill || undefined}>
    {children}
  </span>
)

/** The status of an email. */
export const Status = ({ status, pill = false }: { status: EmailStatus; pill?: boolean }) => (
  <StatusMark tone={tones[status]} pill={pill}>
    {sentenceCase(status)}
  </StatusMark>
)
