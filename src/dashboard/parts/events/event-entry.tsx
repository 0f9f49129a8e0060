import { UnstyledButton } from "@mantine/core"
import { IconChevronRight } from "@tabler/icons-react"
import { useId } from "react"
import { Link } from "wouter"
import type { RecordedEvent } from "../../api/events.ts"
import { CopyButton } from "../../ui/copy.tsx"
import { DayEntryContent, type DayRowProps, dayEntry } from "../../ui/day-list.tsx"
import { fullTime } from "../../ui/format.ts"
import { Snippet } from "../../ui/snippet.tsx"
import styles from "./event-list.module.css"
import { formatData, kindOf, looks } from "./kinds.ts"

interface EventEntryProps {
  row: DayRowProps
  event: RecordedEvent
  ofContact: boolean
  open: boolean
  onToggle(): void
}

/** One event in a line; opened, all of its data. */
export function EventEntry({ row, event, ofContact, open, onToggle }: EventEntryProps) {
  const details = useId()
  return (
    <li {...row} data-open={open || undefined} data-event={event.id}>
      <UnstyledButton className={dayEntry} data-toggle aria-expanded={open} aria-controls={details} onClick={onToggle}>
        <DayEntryContent
          {...looks[kindOf(event.name)]}
          name={event.name}
          said={formatData(event)}
          who={ofContact ? undefined : (event.contact?.email ?? null)}
          at={event.createdAt}
        />
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
    <div className={styles.details} data-narrow={ofContact || undefined}>
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
