import { Avatar } from "@mantine/core"
import { IconAlertTriangle } from "@tabler/icons-react"
import type { ReactNode } from "react"
import type { EmailRecord } from "../../api/emails.ts"
import { age, fullTime, initials } from "../../ui/format.ts"
import { useNow, When } from "../../ui/when.tsx"
import styles from "./message-head.module.css"
import { Origin } from "./origin.tsx"
import { Progress } from "./progress.tsx"

/** Subject, people, time, fate and origin of a mail. */
export function MessageHead({ email, children }: { email: EmailRecord; children?: ReactNode }) {
  const now = useNow()
  const sender = email.fromName || email.from
  return (
    <header className={styles.head}>
      <div className={styles.title}>
        <h1 className={styles.subject}>{email.subject || "(no subject)"}</h1>
        <Progress email={email} />
      </div>
      <div className={styles.people}>
        <Avatar
          name={sender}
          color="initials"
          allowedInitialsColors={["ink", "brass", "teal", "grape", "cyan"]}
          size={38}
          radius="xl"
          aria-hidden="true"
        >
          {initials(sender)}
        </Avatar>
        <div className={styles.names}>
          <p className={styles.person}>
            <strong>{sender}</strong>
            {email.fromName && <span className={styles.address}>{email.from}</span>}
          </p>
          <p className={styles.person}>
            <span className={styles.word}>to</span>
            {email.toName && <span>{email.toName}</span>}
            <span className={email.toName ? styles.address : undefined}>{email.to}</span>
          </p>
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
          <span>{email.error}</span>
        </p>
      )}
      <Origin email={email} />
      {children}
    </header>
  )
}
