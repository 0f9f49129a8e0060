import { Button, Loader } from "@mantine/core"
import { Link } from "wouter"
import { reasonOf } from "../../api/refusal.ts"
import { formatFault } from "../condition/faults.ts"
import { Subscription } from "../subscription.tsx"
import styles from "./audience.module.css"
import { type useAudience, useContactTotal } from "./use-audience.ts"

interface AudiencePaneProps {
  state: ReturnType<typeof useAudience>
  /** Why the condition cannot be evaluated now; null when it can. */
  waiting: string | null
  /** A note about the matching contacts. */
  note?: string
  /** Shows all of them; null while that is not possible. */
  onAll: (() => void) | null
}

/** The number of contacts that a condition matches now, and the newest of them. */
export function AudiencePane({ state, waiting, note, onAll }: AudiencePaneProps) {
  const { audience, error, faults, isBehind, retry } = state
  const total = useContactTotal()
  const [fault] = faults
  const notice = waiting ?? (fault ? `The server does not take this condition: ${formatFault(fault)}` : null)
  const more = audience ? audience.count - audience.contacts.length : 0
  return (
    <aside className={styles.pane} aria-label="Who matches">
      <div className={styles.head}>
        <h2 className={styles.title}>Who matches now</h2>
        {isBehind && !waiting && <Loader size={14} color="gray" aria-label="Counting" />}
      </div>
      {error ? (
        <div className={styles.note} role="alert">
          <p>{reasonOf(error)}</p>
          <Button variant="subtle" size="compact-sm" onClick={retry}>
            Try again
          </Button>
        </div>
      ) : notice ? (
        <p className={styles.note}>{notice}</p>
      ) : null}
      {audience && !error && (
        <div className={styles.found} data-behind={isBehind || notice !== null || undefined}>
          {!notice && (
            <p className={styles.count} role="status" aria-label="Matching contacts">
              <strong>{audience.count.toLocaleString("en")}</strong>
              {total !== undefined && <span>{share(audience.count, total)}</span>}
            </p>
          )}
          {!notice && note && audience.count > 0 && (
            <p className={styles.said} role="status">
              {note}
            </p>
          )}
          {!notice && audience.contacts.length > 0 && (
            <ul className={styles.list} aria-label="The newest of them">
              {audience.contacts.map(({ id, email, subscribed }) => (
                <li key={id}>
                  <Link href={`/contacts/${id}`} className={styles.contact ?? ""} title={email}>
                    <span>{email}</span>
                    <Subscription subscribed={subscribed} />
                  </Link>
                </li>
              ))}
            </ul>
          )}
          {!notice && audience.count === 0 && (
            <p className={styles.note}>Nobody matches today. Contacts that match later belong to it from then on.</p>
          )}
          {!notice && more > 0 && (
            <p className={styles.more}>
              {onAll ? (
                <Button variant="subtle" size="compact-sm" onClick={onAll}>
                  See all {audience.count.toLocaleString("en")}
                </Button>
              ) : (
                `and ${more.toLocaleString("en")} more`
              )}
            </p>
          )}
        </div>
      )}
    </aside>
  )
}

function share(count: number, total: number): string {
  const of = `of ${total.toLocaleString("en")} ${total === 1 ? "contact" : "contacts"}`
  if (total === 0 || count > total) return of
  const percent = (count / total) * 100
  const rounded =
    percent > 0 && percent < 1 ? "under 1" : percent > 99 && percent < 100 ? "over 99" : Math.round(percent)
  return `${of} · ${rounded}%`
}
