import { useState } from "react"
import type { RecordedEvent } from "../../api/events.ts"
import { DayList } from "../../ui/day-list.tsx"
import { EventEntry } from "./event-entry.tsx"

interface EventListProps {
  events: readonly RecordedEvent[]
  label: string
  /** Whether the list is of one contact, whose address is then omitted. */
  ofContact?: boolean
}

/** Events grouped by day; each opens to show all of its data. */
export function EventList({ events, label, ofContact = false }: EventListProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  return (
    <DayList
      items={events}
      timeOf={({ createdAt }) => createdAt}
      label={label}
      ofContact={ofContact}
      row={(event, row) => (
        <EventEntry
          key={event.id}
          row={row}
          event={event}
          ofContact={ofContact}
          open={open.has(event.id)}
          onToggle={() => toggle(event.id)}
        />
      )}
    />
  )
}
