import { Button, Skeleton } from "@mantine/core"
import { IconChevronLeft, IconChevronRight, IconPlus } from "@tabler/icons-react"
import type { ReactNode, RefObject } from "react"
import { Notice } from "./empty-state.tsx"
import styles from "./list-page.module.css"
import { PageHead } from "./page-head.tsx"
import { SearchField } from "./search-field.tsx"
import { Tool } from "./tool.tsx"

interface ListPageProps {
  /** `Templates`; one of them is a `noun`. */
  title: string
  noun: string
  summary: string
  onNew(): void
  /** In place of everything while there is nothing at all. */
  empty: ReactNode | null
  search: {
    readonly text: string
    readonly placeholder: string
    readonly fieldRef: RefObject<HTMLInputElement | null>
    onText(text: string): void
  }
  /** Beside the search. */
  filters: ReactNode
  error: Error | null
  onRetry(): void
  /** Rows in view; undefined while they are not known. */
  found: number | undefined
  /** Shows all again. */
  onClear(): void
  rowsRef: RefObject<HTMLElement | null>
  /** The rows. */
  children: ReactNode
  paging?: Paging | undefined
}

/** Where a list stands that is turned page by page, and all it has on its pages. */
export interface Paging {
  readonly page: number
  readonly pageSize: number
  readonly total: number
  readonly totalPages: number
  onPage(page: number): void
}

/** A page with one list: its head, what narrows it, its rows or why there are none. */
export function ListPage(props: ListPageProps) {
  const { title, noun, summary, onNew, empty, search, filters, rowsRef, paging } = props
  return (
    <main className={styles.page} ref={rowsRef}>
      <PageHead title={title} summary={summary}>
        {!empty && (
          <Button size="xs" h={32} leftSection={<IconPlus size={15} stroke={1.9} />} onClick={onNew}>
            New<span className={styles.wide}>&nbsp;{noun}</span>
          </Button>
        )}
      </PageHead>
      {empty ?? (
        <>
          <div className={styles.tools}>
            <SearchField
              className={styles.search}
              label={`Search ${title.toLowerCase()}`}
              placeholder={search.placeholder}
              value={search.text}
              onChange={search.onText}
              fieldRef={search.fieldRef}
            />
            {filters}
          </div>
          <section className={styles.scroll} aria-label={title}>
            <Rows {...props} />
          </section>
          {paging && paging.totalPages > 1 && <Foot {...paging} />}
        </>
      )}
    </main>
  )
}

function Rows({ title, noun, error, onRetry, found, onClear, paging, children }: ListPageProps) {
  if (found === undefined)
    return error ? <Notice failed text={error.message} action="Try again" onAction={onRetry} /> : <Ghost />
  if (found > 0) return children
  if (paging && paging.total > 0)
    return <Notice text="There is no such page." action="Back to the first" onAction={() => paging.onPage(1)} />
  return <Notice text={`No ${noun} matches.`} action={`Show all ${title.toLowerCase()}`} onAction={onClear} />
}

function Foot({ page, pageSize, total, totalPages, onPage }: Paging) {
  const first = (page - 1) * pageSize + 1
  const range = first > total ? "" : `${first} to ${Math.min(first + pageSize - 1, total)} `
  return (
    <footer className={styles.foot}>
      <span>{`${range}of ${total.toLocaleString("en")}`}</span>
      <span className={styles.steps}>
        <Tool
          label="Previous page"
          icon={IconChevronLeft}
          size="md"
          run={page > 1 ? () => onPage(page - 1) : undefined}
        />
        <Tool
          label="Next page"
          icon={IconChevronRight}
          size="md"
          run={page < totalPages ? () => onPage(page + 1) : undefined}
        />
      </span>
    </footer>
  )
}

function Ghost() {
  return (
    <div className={styles.ghost} aria-hidden="true">
      {[46, 38, 52, 41, 35].map((width) => (
        <Skeleton key={width} height={13} width={`${width}%`} radius="sm" />
      ))}
    </div>
  )
}
