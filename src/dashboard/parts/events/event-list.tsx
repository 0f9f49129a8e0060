import { useState } from "react"
import type { RecordedEvent } from "../../api/events.ts"
import { byDay } from "../../ui/by-day.ts"
import { useRowsInView } from "../../ui/rows-in-view.ts"
import { useNow } from "../../ui/when.tsx"
import { EventEntry } from "./event-entry.tsx"
import styles from "./event-list.module.css"

interface EventListProps {
  events: readonly RecordedEvent[]
  label: string
  /** Whether the list is of one contact, whose address is then omitted. */
  ofContact?: boolean
}

/** The height of a closed event, in px. */
const rowHeight = 44

/** Events grouped by day; each opens to show all of its data. Of a long list those in view are there. */
export function EventList({ events, label, ofContact = false }: EventListProps) {
  const now = useNow()
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [since] = useState(now)
  const toggle = (id: string) => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  const { rows, after, body } = useRowsInView<HTMLElement>(
    events.map(({ id }) => id),
    rowHeight,
    undefined,
  )
  return (
    <section {...body} className={styles.days} aria-label={label} data-narrow={ofContact || undefined}>
      {byDay(events, rows, now).map(([day, items]) => (
        <section key={day} aria-label={day}>
          <h2 className={styles.day}>{day}</h2>
          <ul className={styles.list}>
            {items.map(({ item: event, gap, props }) => (
              <EventEntry
                key={event.id}
                row={props}
                gap={gap}
                event={event}
                ofContact={ofContact}
                fresh={Date.parse(event.createdAt) > since}
                open={open.has(event.id)}
                onToggle={() => toggle(event.id)}
              />
            ))}
          </ul>
        </section>
      ))}
      {after > 0 && <div style={{ height: after }} />}
    </section>
  )
}
