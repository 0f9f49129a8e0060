import type { InboxMail } from "../../api/inbox.ts"
import { StatusMark, type Tone } from "../../ui/status.tsx"
import styles from "./sender-checks.module.css"
import { senderResults } from "./sender-results.ts"

/** The server's verdict on the sender of received mail, from the field that it has added to the message (RFC 8601). */
export function SenderChecks({ email }: { email: InboxMail }) {
  const field = email.source === "INBOUND" ? email.headers["Authentication-Results"] : undefined
  if (field === undefined) return null
  return (
    <ul className={styles.checks} aria-label="Sender checks">
      {senderResults(field).map(({ name, result }) => (
        <li key={name}>
          <StatusMark tone={toneOf(result)} pill>
            {name} {result}
          </StatusMark>
        </li>
      ))}
    </ul>
  )
}

const toneOf = (result: string): Tone => (result === "pass" ? "good" : result === "fail" ? "bad" : "quiet")
