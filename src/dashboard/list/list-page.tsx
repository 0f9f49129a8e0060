import { Button, Skeleton } from "@mantine/core"
import { useDocumentTitle } from "@mantine/hooks"
import { type Icon, IconPlus } from "@tabler/icons-react"
import { type ReactNode, useEffect, useRef } from "react"
import { useCommands } from "../context/commands.tsx"
import { usePreviousPath } from "../context/return-focus.tsx"
import { useIsReadOnly } from "../context/session.ts"
import { PageHead } from "../parts/page-head.tsx"
import { EmptyState, Notice } from "../ui/empty-state.tsx"
import { count } from "../ui/format.ts"
import { SearchField } from "../ui/search-field.tsx"
import { listCommands } from "./list-commands.ts"
import styles from "./list-page.module.css"
import type { Listing } from "./list-view.ts"
import { PageFoot, pageCommands, stepsFrom } from "./paging.tsx"
import { focusRow } from "./rows.ts"

interface ListPageProps {
  /** `Templates`; one of them is a `noun`. */
  title: string
  noun: string
  list: Listing
  query: { readonly error: Error | null; readonly isPlaceholderData: boolean; refetch(): unknown }
  /** The page in view, which becomes the requested one once its rows are loaded; undefined until known. */
  page: Page | undefined
  onNew(): void
  /** Shown while the list is empty. */
  empty: { readonly icon: Icon; readonly title: string; readonly text: string; readonly more?: ReactNode }
  /** The searched fields, in a few words. */
  searched: string
  /** Shown next to the search. */
  filters: ReactNode
  /** The rows. */
  children: ReactNode
}

interface Page {
  readonly data: readonly unknown[]
  /** Items on all pages. */
  readonly total: number
  readonly page: number
  readonly pageSize: number
  readonly totalPages: number
}

/** A list that has all of its items on one page. */
export const onePage = (data: readonly unknown[]): Page => ({
  data,
  total: data.length,
  page: 1,
  pageSize: data.length,
  totalPages: 1,
})

/** A page with one list: head, search and filters, rows or the reason why there are none, and keys. */
export function ListPage(props: ListPageProps) {
  const { title, noun, list, query, page, onNew, empty, searched, filters } = props
  const rows = useRef<HTMLElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const isReadOnly = useIsReadOnly()
  const total = page?.total
  const steps = page && page.totalPages > 1 ? stepsFrom(list.view.page, page.totalPages, list.turnTo) : undefined
  useDocumentTitle(`${title} · Mailstead`)
  useReturnFocus(page !== undefined)
  useCommands([
    ...listCommands({
      rows,
      search: () => field.current?.focus(),
      refresh: () => void query.refetch(),
      clear: list.isFiltered || list.text !== "" ? list.clear : undefined,
    }),
    ...(steps ? pageCommands(steps) : []),
  ])
  const nothing = total === 0 && !list.isFiltered && !query.isPlaceholderData
  const summary = total === undefined || nothing ? "" : list.isFiltered ? `${total} found` : count(total, noun)
  return (
    <main className={styles.page} ref={rows}>
      <PageHead title={title} summary={summary}>
        {!nothing && (
          <Button
            size="xs"
            h={32}
            leftSection={<IconPlus size={15} stroke={1.9} />}
            disabled={isReadOnly}
            onClick={onNew}
          >
            New<span className={styles.wide}>&nbsp;{noun}</span>
          </Button>
        )}
      </PageHead>
      {nothing ? (
        <EmptyState
          {...empty}
          actions={
            <Button leftSection={<IconPlus size={16} stroke={1.8} />} disabled={isReadOnly} onClick={onNew}>
              New {noun}
            </Button>
          }
        >
          {empty.more}
        </EmptyState>
      ) : (
        <>
          <div className={styles.tools}>
            <SearchField
              className={styles.search}
              label={`Search ${title.toLowerCase()}`}
              placeholder={searched}
              value={list.text}
              onChange={list.setText}
              fieldRef={field}
            />
            {filters}
          </div>
          <section className={styles.scroll} aria-label={title}>
            <Rows {...props} />
          </section>
          {page && steps && <PageFoot page={page.page} pageSize={page.pageSize} total={page.total} steps={steps} />}
        </>
      )}
    </main>
  )
}

/** Focuses the row of the page that the user returns from, unless something already has the focus. */
function useReturnFocus(ready: boolean): void {
  const from = useRef(usePreviousPath())
  useEffect(() => {
    if (!ready || from.current === null) return
    if (document.activeElement === document.body) focusRow(from.current)
    from.current = null
  }, [ready])
}

function Rows({ title, noun, list, query, page, children }: ListPageProps) {
  if (page === undefined)
    return query.error ? (
      <Notice failed text={query.error.message} action="Try again" onAction={() => void query.refetch()} />
    ) : (
      <RowsSkeleton />
    )
  if (page.data.length > 0) return children
  if (page.total > 0)
    return <Notice text="There is no such page." action="Back to the first" onAction={() => list.turnTo(1)} />
  return <Notice text={`No ${noun} matches.`} action={`Show all ${title.toLowerCase()}`} onAction={list.clear} />
}

function RowsSkeleton() {
  return (
    <div className={styles.skeleton} aria-hidden="true">
      {[46, 38, 52, 41, 35].map((width) => (
        <Skeleton key={width} height={13} width={`${width}%`} radius="sm" />
      ))}
    </div>
  )
}
