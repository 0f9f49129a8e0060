import { Skeleton } from "@mantine/core"
import { useDocumentTitle } from "@mantine/hooks"
import type { ReactNode, RefObject } from "react"
import { PageHead, type PageHeadProps } from "../parts/page-head.tsx"
import styles from "./feed-page.module.css"

interface FeedPageProps extends Pick<PageHeadProps, "title" | "summary" | "items"> {
  filters: ReactNode
  /** Instead of filters and feed, where there is nothing to filter. */
  empty?: ReactNode | undefined
  pageRef?: RefObject<HTMLElement | null>
  /** The feed. */
  children: ReactNode
}

/** A page with one feed: its head, the filters, and the scrolling list. */
export function FeedPage({ filters, empty, pageRef, children, ...head }: FeedPageProps) {
  useDocumentTitle(`${head.title} · Mailstead`)
  return (
    <main className={styles.page} ref={pageRef}>
      <PageHead {...head} />
      {empty ?? (
        <>
          <div className={styles.tools}>{filters}</div>
          <div className={styles.scroll} data-feed>
            {children}
          </div>
        </>
      )}
    </main>
  )
}

export const FeedSkeleton = () => (
  <div className={styles.skeleton} aria-hidden="true">
    {[44, 38, 52, 41, 47, 35].map((width) => (
      <Skeleton key={width} height={12} width={`${width}%`} radius="sm" />
    ))}
  </div>
)
