import { Link } from "wouter"
import type { Contact } from "../../api/contacts.ts"
import { listEmails } from "../../api/emails.ts"
import { useSession } from "../../context/session.ts"
import { usePages } from "../../queries/pages.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { Feed } from "../../ui/feed.tsx"
import { age } from "../../ui/format.ts"
import { Status } from "../../ui/status.tsx"
import { useNow, When } from "../../ui/when.tsx"
import styles from "./contact-emails.module.css"

/** The mails to a contact, newest first, with links. */
export function ContactEmails({ contact }: { contact: Contact }) {
  const projectId = useSession().project.id
  const now = useNow()
  const { query, rows: emails } = usePages({
    queryKey: ["emails-of", projectId, contact.id],
    load: (cursor, signal) => listEmails(projectId, { limit: 20, contactId: contact.id, cursor }, signal),
  })
  return (
    <Feed
      query={query}
      empty={emails.length === 0 ? <Notice text={`Nothing was sent to ${contact.email} yet.`} /> : undefined}
      more="Older mail"
    >
      <ul className={styles.list} aria-label="Emails">
        {emails.map((email) => (
          <li key={email.id}>
            <Link href={`/inbox/${email.id}`} className={styles.email ?? ""}>
              <span className={styles.line}>
                <span className={styles.subject} dir="auto">
                  {email.subject || "(no subject)"}
                </span>
                <When className={styles.time} at={email.createdAt} now={now} format={age} />
              </span>
              <span className={styles.line}>
                <span className={styles.from} dir="auto">
                  {email.fromName || email.from}
                </span>
                <Status status={email.status} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Feed>
  )
}
