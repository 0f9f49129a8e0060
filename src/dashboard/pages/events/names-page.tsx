import { Skeleton } from "@mantine/core"
import { useDocumentTitle } from "@mantine/hooks"
import { useQueryClient } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { useCommands } from "../../context/commands.tsx"
import { useSession } from "../../context/session.ts"
import { rowToggleCommands } from "../../list/row-toggle-commands.ts"
import { TableRows } from "../../list/table-rows.tsx"
import { PageHead } from "../../parts/page-head.tsx"
import { trendDays } from "../../queries/days.ts"
import { refetchEvents, useNames, useTrend } from "../../queries/events.ts"
import { ActionsHeader } from "../../ui/actions-header.tsx"
import { Notice } from "../../ui/empty-state.tsx"
import { count } from "../../ui/format.ts"
import { SearchField } from "../../ui/search-field.tsx"
import table from "../../ui/table.module.css"
import { useLocalSearch } from "../../ui/use-local-search.ts"
import { useNow } from "../../ui/when.tsx"
import { NoEvents } from "./empty.tsx"
import { NameEntry } from "./name-entry.tsx"
import styles from "./names-page.module.css"
import { navItems } from "./nav-items.ts"

/** The height of a closed name, in px. */
const rowHeight = 45

/** All names of events with their counts, their recent trend, and what refers to them. */
export default function NamesPage() {
  const { project } = useSession()
  const client = useQueryClient()
  const query = useNames()
  const trend = useTrend(new Date(useNow()).setHours(0, 0, 0, 0))
  const [open, setOpen] = useState<string | null>(null)
  const rows = useRef<HTMLElement>(null)
  const names = query.data ?? []
  const search = useLocalSearch(names, ({ name }) => name)
  useDocumentTitle("Event names · Mailstead")
  useCommands(
    rowToggleCommands({
      rows,
      refresh: () => void refetchEvents(client, project.id),
      search: { label: "Search names", field: search.field.fieldRef },
    }),
  )

  return (
    <main className={styles.page}>
      <PageHead
        title="Events"
        summary={names.length > 0 ? count(names.length, "name") : ""}
        items={navItems("/events/names")}
      />
      {query.isPending ? (
        <div className={styles.skeleton} aria-hidden="true">
          <Skeleton height={12} width="60%" />
        </div>
      ) : query.isError && !query.data ? (
        <Notice failed text={query.error.message} action="Try again" onAction={() => void query.refetch()} />
      ) : names.length === 0 ? (
        <NoEvents />
      ) : (
        <>
          <div className={styles.tools}>
            <SearchField
              className={styles.search}
              label="Search names"
              placeholder="Part of a name"
              {...search.field}
            />
          </div>
          <section className={styles.scroll} aria-label="Names" ref={rows}>
            {search.found.length === 0 ? (
              <Notice text="No name matches." action="Show all names" onAction={search.clear} />
            ) : (
              <table
                className={`${table.table} ${styles.table}`}
                aria-label="Names"
                aria-rowcount={search.found.length + 1}
              >
                <thead>
                  <tr>
                    <th scope="col">Name</th>
                    <th scope="col" className={styles.trendCell}>
                      Last {trendDays} days
                    </th>
                    <th scope="col" className={styles.number}>
                      All time
                    </th>
                    <ActionsHeader />
                  </tr>
                </thead>
                <TableRows
                  ids={search.found.map(({ name }) => name)}
                  height={rowHeight}
                  row={(index, props) => {
                    const { name, count } = search.found[index] as (typeof names)[number]
                    return (
                      <NameEntry
                        row={props}
                        name={name}
                        count={count}
                        // a name on none of the days had no events
                        days={trend && (trend.get(name) ?? [])}
                        open={open === name}
                        onToggle={() => setOpen(open === name ? null : name)}
                      />
                    )
                  }}
                />
              </table>
            )}
          </section>
        </>
      )}
    </main>
  )
}
