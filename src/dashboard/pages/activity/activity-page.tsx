import { FeedFilters } from "../../list/feed-filters.tsx"
import { FeedPage, FeedSkeleton } from "../../list/feed-page.tsx"
import { filterOf, useFeedView } from "../../list/feed-view.ts"
import { ActivityList } from "../../parts/activity/activity-list.tsx"
import { useActivity } from "../../queries/activity.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { Feed } from "../../ui/feed.tsx"
import { count } from "../../ui/format.ts"
import { TypesFilter } from "./types-filter.tsx"

/** What happened in the project; the filter is in the URL. */
export default function ActivityPage() {
  const { view, isFiltered, change, clear } = useFeedView("types")
  const { query, rows: items, total } = useActivity({ types: view.types, ...filterOf(view) })
  const nothing = isFiltered ? (
    <Notice text="Nothing matches." action="Show everything" onAction={clear} />
  ) : (
    <Notice text="Nothing happened in the last 30 days. Whatever does appears here by itself." />
  )
  return (
    <FeedPage
      title="Activity"
      summary={query.isSuccess && total > 0 ? count(total, "item") : ""}
      filters={
        <>
          <TypesFilter chosen={view.types} onChoose={(types) => change({ types })} />
          <FeedFilters title="Activity" view={view} onView={change} />
        </>
      }
    >
      <Feed
        query={query}
        empty={items.length === 0 ? nothing : undefined}
        more="Earlier activity"
        skeleton={<FeedSkeleton />}
      >
        <ActivityList items={items} label="Activity" />
      </Feed>
    </FeedPage>
  )
}
