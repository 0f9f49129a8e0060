import { memo } from "react"
import { Link } from "wouter"
import type { EmailRecord } from "../../api/emails.ts"
import { rowTime } from "../../ui/format.ts"
import { Status } from "../../ui/status.tsx"
import { When } from "../../ui/when.tsx"
import styles from "./mail-list.module.css"

interface MailRowProps {
  email: EmailRecord
  href: string
  now: number
  unread: boolean
  open: boolean
  /** The row that Tab reaches; the others are reached from it by the arrow keys. */
  reachable: boolean
  onFocus(id: string): void
}

/** Moves the focus to a mail of the list, which brings it into view. */
export function focusRow(id: string): void {
  document.querySelector<HTMLElement>(`[data-mail="${CSS.escape(id)}"]`)?.focus()
}

/** One mail of the list: who sent it, what it is about, to whom. */
export const MailRow = memo(function MailRow({ email, href, now, unread, open, reachable, onFocus }: MailRowProps) {
  return (
    <li className={styles.item}>
      <Link
        href={href}
        className={styles.row ?? ""}
        data-mail={email.id}
        data-unread={unread || undefined}
        aria-current={open || undefined}
        tabIndex={reachable ? 0 : -1}
        onFocus={() => onFocus(email.id)}
      >
        <span className={styles.top}>
          {unread && <span className={styles.dot} role="img" aria-label="Unread" />}
          <span className={styles.from}>{email.fromName || email.from}</span>
          <When className={styles.time} at={email.createdAt} now={now} format={rowTime} />
        </span>
        <span className={styles.subject}>{email.subject || "(no subject)"}</span>
        <span className={styles.bottom}>
          <span className={styles.to}>
            <span className={styles.toWord}>to </span>
            {email.to}
          </span>
          <Status status={email.status} />
        </span>
      </Link>
    </li>
  )
})
