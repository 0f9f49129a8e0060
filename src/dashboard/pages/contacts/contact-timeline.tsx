import type { Contact } from "../../api/contacts.ts"
import { ActivityList } from "../../parts/activity/activity-list.tsx"
import { EventList } from "../../parts/events/event-list.tsx"
import { useActivityOf } from "../../queries/activity.ts"
import { useEventsOf } from "../../queries/events.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { Feed } from "../../ui/feed.tsx"

const Nothing = ({ contact: { email } }: { contact: Contact }) => (
  <Notice text={`Nothing happened with ${email} yet.`} />
)

/** The whole history of a contact: mails, events and workflows, newest first. */
export function ContactTimeline({ contact }: { contact: Contact }) {
  const { query, rows: items } = useActivityOf(contact.id)
  return (
    <Feed query={query} empty={items.length === 0 ? <Nothing contact={contact} /> : undefined} more="Earlier activity">
      <ActivityList items={items} label="Activity" ofContact />
    </Feed>
  )
}

/** The events of a contact with their data, newest first. */
export function ContactEvents({ contact }: { contact: Contact }) {
  const { query, rows: events } = useEventsOf(contact.id)
  return (
    <Feed query={query} empty={events.length === 0 ? <Nothing contact={contact} /> : undefined} more="Older events">
      <EventList events={events} label="Events" ofContact />
    </Feed>
  )
}
