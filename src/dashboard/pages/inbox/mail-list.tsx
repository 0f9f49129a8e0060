import { Skeleton } from "@mantine/core"
import type { InboxRow } from "../../api/inbox.ts"
import { byDay } from "../../ui/by-day.ts"
import { More, type MoreProps } from "../../ui/more.tsx"
import { useRowsInView } from "../../ui/rows-in-view.tsx"
import { useNow } from "../../ui/when.tsx"
import styles from "./mail-list.module.css"
import { MailRow } from "./mail-row.tsx"

interface MailListProps {
  emails: readonly InboxRow[]
  openId: string | undefined
  /** The query string of the URL. */
  rowQuery: string
  cursorId: string | undefined
  onCursor(id: string): void
  more: MoreProps & { has: boolean }
}

/** The mails, newest first, grouped by day. */
export function MailList({ emails, openId, rowQuery, cursorId, onCursor, more }: MailListProps) {
  const now = useNow()
  const { rows, after, body, watch } = useRowsInView<HTMLDivElement>(
    emails.map(({ id }) => id),
    94,
    cursorId,
  )
  const reachable = emails.some(({ id }) => id === cursorId) ? cursorId : emails[0]?.id
  return (
    <>
      <div {...body}>
        {byDay(emails, ({ createdAt }) => createdAt, rows, now).map(([day, ofDay]) => (
          <section key={day} aria-label={day}>
            <h2 className={styles.day}>{day}</h2>
            <ul className={styles.rows}>
              {ofDay.map(({ item: email, gap, props }) => (
                <MailRow
                  key={email.id}
                  gap={gap}
                  row={props}
                  email={email}
                  openId={openId}
                  rowQuery={rowQuery}
                  now={now}
                  reachable={email.id === reachable}
                  onFocus={onCursor}
                />
              ))}
            </ul>
          </section>
        ))}
        {after > 0 && <div style={{ height: after }} />}
        {more.has && <More {...more} label="Older mail" />}
      </div>
      {watch}
    </>
  )
}

export function MailListSkeleton() {
  return (
    <div className={styles.skeleton} aria-hidden="true">
      {[62, 48, 70, 55, 66, 42].map((width) => (
        <div key={width} className={styles.skeleton}>
          <Skeleton height={11} width={`${width}%`} radius="sm" />
          <Skeleton height={11} width={`${width + 22}%`} radius="sm" />
          <Skeleton height={9} width={`${width - 12}%`} radius="sm" />
        </div>
      ))}
    </div>
  )
}
