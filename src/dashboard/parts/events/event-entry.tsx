import { UnstyledButton } from "@mantine/core"
import { IconChevronRight } from "@tabler/icons-react"
import { useId } from "react"
import { Link } from "wouter"
import type { RecordedEvent } from "../../api/events.ts"
import { CopyButton } from "../../ui/copy.tsx"
import { fullTime, timeOfDay } from "../../ui/format.ts"
import type { RowProps } from "../../ui/rows-in-view.ts"
import { Snippet } from "../../ui/snippet.tsx"
import { When } from "../../ui/when.tsx"
import styles from "./event-list.module.css"
import { formatData, icons, kindOf } from "./kinds.ts"

interface EventEntryProps {
  row: RowProps
  /** The height of the events that are left out before it, in px. */
  gap: number
  event: RecordedEvent
  ofContact: boolean
  /** Whether it arrived while the list was in view. */
  fresh: boolean
  open: boolean
  onToggle(): void
}

/** One event in a line; opened, all of its data. */
export function EventEntry({ row, gap, event, ofContact, fresh, open, onToggle }: EventEntryProps) {
  const details = useId()
  const kind = kindOf(event.name)
  const Icon = icons[kind]
  return (
    <li
      {...row}
      className={styles.item}
      style={gap > 0 ? { marginTop: gap } : undefined}
      data-fresh={fresh || undefined}
      data-open={open || undefined}
      data-event={event.id}
    >
      <UnstyledButton
        className={styles.entry ?? ""}
        data-toggle
        aria-expanded={open}
        aria-controls={details}
        onClick={onToggle}
      >
        <span className={styles.icon} data-kind={kind}>
          <Icon size={15} stroke={1.8} aria-hidden="true" />
        </span>
        <span className={styles.what}>
          <span className={styles.name}>{event.name}</span>
          <span className={styles.said}>{formatData(event)}</span>
        </span>
        {!ofContact && <span className={styles.who}>{event.contact?.email}</span>}
        <When className={styles.time} at={event.createdAt} now={0} format={timeOfDay} />
        <IconChevronRight className={styles.chevron ?? ""} size={15} stroke={1.8} aria-hidden="true" />
      </UnstyledButton>
      <div id={details} hidden={!open}>
        {open && <Details event={event} ofContact={ofContact} />}
      </div>
    </li>
  )
}

function Details({ event, ofContact }: { event: RecordedEvent; ofContact: boolean }) {
  const { id, contact, emailId, createdAt, data } = event
  const isEmpty = Object.keys(data).length === 0
  return (
    <div className={styles.details}>
      <dl className={styles.facts}>
        {!ofContact && (
          <>
            <dt>Contact</dt>
            <dd>{contact ? <Link href={`/contacts/${contact.id}`}>{contact.email}</Link> : "Of nobody"}</dd>
          </>
        )}
        {emailId && (
          <>
            <dt>Mail</dt>
            <dd>
              <Link href={`/inbox/${emailId}`}>Open the message</Link>
            </dd>
          </>
        )}
        <dt>Time</dt>
        <dd>{fullTime(Date.parse(createdAt))}</dd>
        <dt>Id</dt>
        <dd>
          <span className={styles.id}>
            <code title={id}>{id}</code>
            <CopyButton text={id} label="Copy id" />
          </span>
        </dd>
      </dl>
      {isEmpty ? (
        <p className={styles.none}>It was recorded without data.</p>
      ) : (
        <Snippet label="data" code={JSON.stringify(data, null, 2)} />
      )}
    </div>
  )
}
