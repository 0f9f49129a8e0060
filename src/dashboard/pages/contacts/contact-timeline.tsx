import { Skeleton } from "@mantine/core"
import type { Contact } from "../../api/contacts.ts"
import { EventList } from "../../parts/events/event-list.tsx"
import { useEventsOf } from "../../queries/events.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { More } from "../../ui/more.tsx"

/** The events of a contact, newest first. */
export function ContactTimeline({ contact }: { contact: Contact }) {
  const { query, events } = useEventsOf(contact.id)
  if (query.isPending) return <Skeleton height={44} radius="md" />
  if (query.isError && events.length === 0) {
    return <Notice failed text={query.error.message} action="Try again" onAction={() => void query.refetch()} />
  }
  if (events.length === 0) return <Notice text={`Nothing happened with ${contact.email} yet.`} />
  return (
    <>
      <EventList events={events} label="Events" ofContact />
      {query.hasNextPage && (
        <More
          label="Older events"
          loading={query.isFetchingNextPage}
          failed={query.isFetchNextPageError}
          load={() => void query.fetchNextPage()}
        />
      )}
    </>
  )
}
