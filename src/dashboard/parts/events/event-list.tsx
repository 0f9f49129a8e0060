import { useState } from "react"
import type { RecordedEvent } from "../../api/events.ts"
import { dayName } from "../../ui/format.ts"
import { useNow } from "../../ui/when.tsx"
import { EventEntry } from "./event-entry.tsx"
import styles from "./event-list.module.css"

interface EventListProps {
  events: readonly RecordedEvent[]
  label: string
  /** Whether the list is of one contact, whose address is then omitted. */
  ofContact?: boolean
}

/** Events grouped by day; each opens to show all of its data. */
export function EventList({ events, label, ofContact = false }: EventListProps) {
  const now = useNow()
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [since] = useState(now)
  const toggle = (id: string) => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  return (
    <section className={styles.days} aria-label={label} data-narrow={ofContact || undefined}>
      {daysOf(events, now).map(({ day, items }) => (
        <section key={day} aria-label={day}>
          <h2 className={styles.day}>{day}</h2>
          <ul className={styles.list}>
            {items.map((event) => (
              <EventEntry
                key={event.id}
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
    </section>
  )
}

/** The days in the order of the list, each with its events. */
function daysOf(events: readonly RecordedEvent[], now: number) {
  const days: { day: string; items: RecordedEvent[] }[] = []
  for (const event of events) {
    const day = dayName(Date.parse(event.createdAt), now)
    const last = days.at(-1)
    if (last?.day === day) last.items.push(event)
    else days.push({ day, items: [event] })
  }
  return days
}
