import { Skeleton } from "@mantine/core"
import { useDocumentTitle } from "@mantine/hooks"
import { ActivityList } from "../../parts/activity/activity-list.tsx"
import { PageHead } from "../../parts/page-head.tsx"
import { useActivity } from "../../queries/activity.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { count } from "../../ui/format.ts"
import { More } from "../../ui/more.tsx"
import styles from "./activity-page.module.css"
import { Filters } from "./filters.tsx"
import { filterOf, useActivityView } from "./view.ts"

/** What happened in the project; the filter is in the URL. */
export default function ActivityPage() {
  const { view, change, clear } = useActivityView()
  const { query, items, total } = useActivity(filterOf(view))
  const isFiltered = view.types.length > 0 || view.contact !== "" || view.from !== "" || view.to !== ""
  useDocumentTitle("Activity · Mailstead")
  return (
    <main className={styles.page}>
      <PageHead title="Activity" summary={query.isSuccess && total > 0 ? count(total, "item") : ""} />
      <div className={styles.tools}>
        <Filters view={view} onView={change} />
      </div>
      <div className={styles.scroll}>
        {query.isError && items.length === 0 ? (
          <Notice failed text={query.error.message} action="Try again" onAction={() => void query.refetch()} />
        ) : query.isPending ? (
          <RowsSkeleton />
        ) : items.length === 0 ? (
          isFiltered ? (
            <Notice text="Nothing matches." action="Show everything" onAction={clear} />
          ) : (
            <p className={styles.nothing}>
              Nothing happened in the last 30 days. Whatever does appears here by itself.
            </p>
          )
        ) : (
          <ActivityList items={items} label="Activity" />
        )}
        {query.hasNextPage && (
          <More
            label="Earlier activity"
            loading={query.isFetchingNextPage}
            failed={query.isFetchNextPageError}
            load={() => void query.fetchNextPage()}
          />
        )}
      </div>
    </main>
  )
}

function RowsSkeleton() {
  return (
    <div className={styles.skeleton} aria-hidden="true">
      {[44, 38, 52, 41, 47, 35].map((width) => (
        <Skeleton key={width} height={12} width={`${width}%`} radius="sm" />
      ))}
    </div>
  )
}
