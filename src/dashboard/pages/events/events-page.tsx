import { Button } from "@mantine/core"
import { IconTrash } from "@tabler/icons-react"
import { useQueryClient } from "@tanstack/react-query"
import { useRef } from "react"
import { useCommands } from "../../context/commands.tsx"
import { useSession } from "../../context/session.ts"
import { FeedFilters } from "../../list/feed-filters.tsx"
import { FeedPage, FeedSkeleton } from "../../list/feed-page.tsx"
import { filterOf, useFeedView } from "../../list/feed-view.ts"
import { rowToggleCommands } from "../../list/row-toggle-commands.ts"
import { EventList } from "../../parts/events/event-list.tsx"
import { kindOf } from "../../parts/events/kinds.ts"
import { refetchEvents, useEvents } from "../../queries/events.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { Feed } from "../../ui/feed.tsx"
import { count } from "../../ui/format.ts"
import { NoEvents } from "./empty.tsx"
import styles from "./events-page.module.css"
import { NameField } from "./name-field.tsx"
import { navItems } from "./nav-items.ts"
import { useEventDeletion } from "./use-event-deletion.tsx"

/** The recent events, all or filtered; the filter is in the URL. */
export default function EventsPage() {
  const { project } = useSession()
  const client = useQueryClient()
  const { view, isFiltered, change, clear } = useFeedView("name")
  const { name, contact, from, to } = view
  const { query, rows: events, total } = useEvents({ eventName: name, ...filterOf(view) })
  const page = useRef<HTMLElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const choose = (chosen: string) => change({ name: chosen })
  const remove = useEventDeletion(() => choose(""))
  useCommands(
    rowToggleCommands({
      rows: page,
      refresh: () => void refetchEvents(client, project.id),
      search: { label: "Filter by name", field },
    }),
  )

  const isOnlyNamed = [contact, from, to].every((part) => part === "")
  const nothing = (
    <Notice
      text={isOnlyNamed ? `There is no event named ${name}.` : "No event matches."}
      action="Show all events"
      onAction={clear}
    />
  )
  return (
    <FeedPage
      pageRef={page}
      title="Events"
      summary={query.isSuccess && total > 0 ? count(total, "event") : ""}
      items={navItems("/events")}
      empty={query.isSuccess && !isFiltered && events.length === 0 ? <NoEvents /> : undefined}
      filters={
        <>
          <NameField value={name} onChange={choose} fieldRef={field} />
          <FeedFilters title="Events" view={view} onView={change} />
          {name !== "" && kindOf(name) === "own" && events.length > 0 && (
            <Button
              variant="default"
              size="xs"
              h={34}
              leftSection={<IconTrash size={15} stroke={1.7} />}
              onClick={() => void remove(name)}
            >
              Delete all<span className={styles.wide}>&nbsp;of this name</span>
            </Button>
          )}
        </>
      }
    >
      <Feed
        query={query}
        empty={events.length === 0 ? nothing : undefined}
        more="Older events"
        skeleton={<FeedSkeleton />}
      >
        <EventList events={events} label="Events" />
      </Feed>
    </FeedPage>
  )
}
