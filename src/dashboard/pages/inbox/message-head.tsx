import { Avatar } from "@mantine/core"
import { IconAlertTriangle } from "@tabler/icons-react"
import type { ReactNode } from "react"
import type { InboxMail, InboxRow } from "../../api/inbox.ts"
import { formatMailError } from "../../parts/mail-error.ts"
import { age, count, fullTime, initials } from "../../ui/format.ts"
import { Status } from "../../ui/status.tsx"
import { useNow, When } from "../../ui/when.tsx"
import styles from "./message-head.module.css"
import { Origin } from "./origin.tsx"
import { Progress } from "./progress.tsx"

interface MessageHeadProps {
  email: InboxRow
  /** Undefined until the mail is loaded. */
  delivery: Pick<InboxMail, "attempts" | "nextAttemptAt"> | undefined
  children?: ReactNode
}

/** Subject, people, time, status and origin of a mail. */
export function MessageHead({ email, delivery, children }: MessageHeadProps) {
  const now = useNow()
  const sender = email.fromName || email.from
  return (
    <header className={styles.head}>
      <div className={styles.title}>
        <h1 className={styles.subject} dir="auto">
          {email.subject || "(no subject)"}
        </h1>
        <Progress email={email} />
      </div>
      <div className={styles.people}>
        <Avatar
          name={sender}
          color="initials"
          allowedInitialsColors={["ink", "brass", "grape", "cyan"]}
          size={38}
          radius="xl"
          aria-hidden="true"
        >
          {initials(sender)}
        </Avatar>
        <div className={styles.names}>
          <p className={styles.person}>
            <strong dir="auto">{sender || "(no sender)"}</strong>
            {email.fromName && <span className={styles.address}>{email.from}</span>}
          </p>
          <Recipients email={email} />
          {email.replyTo && email.replyTo !== email.from && (
            <p className={styles.person}>
              <span className={styles.word}>reply to</span>
              <span>{email.replyTo}</span>
            </p>
          )}
        </div>
        <div className={styles.times}>
          <When at={email.createdAt} now={now} format={age} />
          <When className={styles.exact} at={email.createdAt} now={now} format={fullTime} />
        </div>
      </div>
      {email.error && (
        <p className={styles.error} role="note">
          <IconAlertTriangle size={16} stroke={1.7} />
          <span>
            {formatMailError(email.error)}
            {delivery?.nextAttemptAt && (
              <small>
                {delivery.attempts > 0 && `Tried ${count(delivery.attempts, "time")}. `}
                It is tried again on {fullTime(Date.parse(delivery.nextAttemptAt))}.
              </small>
            )}
          </span>
        </p>
      )}
      <Origin email={email} />
      {children}
    </header>
  )
}

const headerWords = { TO: "to", CC: "cc", BCC: "bcc" } as const

/** The recipients of the mail; several are grouped by the header that names them, each with its status. */
function Recipients({ email }: { email: InboxRow }) {
  const { recipients, to, toName, status } = email
  const all = recipients.length > 0 ? recipients : [{ id: email.id, to, toName, addressedBy: "TO" as const, status }]
  return (["TO", "CC", "BCC"] as const).map((header) => {
    const named = all.filter(({ addressedBy }) => addressedBy === header)
    if (named.length === 0) return null
    return (
      <p key={header} className={styles.person}>
        <span className={styles.word}>{headerWords[header]}</span>
        {named.map((one) => (
          <span key={one.id} className={styles.recipient}>
            {one.toName && <span dir="auto">{one.toName}</span>}
            <span className={one.toName ? styles.address : undefined}>{one.to}</span>
            {one.status !== status && <Status status={one.status} />}
          </span>
        ))}
      </p>
    )
  })
}
