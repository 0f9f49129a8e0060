import { Button, Skeleton } from "@mantine/core"
import { useDocumentTitle } from "@mantine/hooks"
import { IconTrash } from "@tabler/icons-react"
import { useQueryClient } from "@tanstack/react-query"
import { useRef } from "react"
import { useCommands } from "../../context/commands.tsx"
import { useSession } from "../../context/session.ts"
import { rowToggleCommands } from "../../list/row-toggle-commands.ts"
import { EventList } from "../../parts/events/event-list.tsx"
import { kindOf } from "../../parts/events/kinds.ts"
import { PageHead } from "../../parts/page-head.tsx"
import { refetchEvents, useEvents } from "../../queries/events.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { count } from "../../ui/format.ts"
import { More } from "../../ui/more.tsx"
import { NoEvents } from "./empty.tsx"
import styles from "./events-page.module.css"
import { Filters } from "./filters.tsx"
import { NameField } from "./name-field.tsx"
import { navItems } from "./nav-items.ts"
import { useEventDeletion } from "./use-event-deletion.tsx"
import { type EventView, filterOf, useEventView } from "./view.ts"

/** The recent events, all or filtered; the filter is in the URL. */
export default function EventsPage() {
  const { project } = useSession()
  const client = useQueryClient()
  const { view, change, clear } = useEventView()
  const { name } = view
  const isFiltered = Object.values(view).some((part) => part !== "")
  const { query, events, total } = useEvents(filterOf(view))
  const page = useRef<HTMLElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const choose = (chosen: string) => change({ name: chosen })
  const remove = useEventDeletion(() => choose(""))
  useDocumentTitle("Events · Mailstead")
  useCommands(
    rowToggleCommands({
      rows: page,
      refresh: () => void refetchEvents(client, project.id),
      search: { label: "Filter by name", field },
    }),
  )

  const nothing = query.isSuccess && !isFiltered && events.length === 0
  return (
    <main className={styles.page} ref={page}>
      <PageHead
        title="Events"
        summary={query.isSuccess && total > 0 ? count(total, "event") : ""}
        items={navItems("/events")}
      />
      {nothing ? (
        <NoEvents />
      ) : (
        <>
          <div className={styles.tools}>
            <NameField value={name} onChange={choose} fieldRef={field} />
            <Filters view={view} onView={change} />
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
          </div>
          <div className={styles.scroll} data-event-list>
            {query.isError && events.length === 0 ? (
              <Notice failed text={query.error.message} action="Try again" onAction={() => void query.refetch()} />
            ) : query.isPending ? (
              <RowsSkeleton />
            ) : events.length === 0 ? (
              <Notice
                text={isOnlyNamed(view) ? `There is no event named ${name}.` : "No event matches."}
                action="Show all events"
                onAction={clear}
              />
            ) : (
              <EventList events={events} label="Events" />
            )}
            {query.hasNextPage && (
              <More
                label="Older events"
                loading={query.isFetchingNextPage}
                failed={query.isFetchNextPageError}
                load={() => void query.fetchNextPage()}
              />
            )}
          </div>
        </>
      )}
    </main>
  )
}

const isOnlyNamed = ({ contact, from, to }: EventView): boolean => contact === "" && from === "" && to === ""

function RowsSkeleton() {
  return (
    <div className={styles.skeleton} aria-hidden="true">
      {[44, 38, 52, 41, 47, 35].map((width) => (
        <Skeleton key={width} height={12} width={`${width}%`} radius="sm" />
      ))}
    </div>
  )
}
