import { Skeleton } from "@mantine/core"
import type { ReactNode } from "react"
import { Notice } from "./empty-state.tsx"
import { More } from "./more.tsx"

interface FeedProps {
  query: {
    readonly isPending: boolean
    readonly error: Error | null
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly isFetchNextPageError: boolean
    refetch(): unknown
    fetchNextPage(): unknown
  }
  /** Undefined while there are items. */
  empty: ReactNode | undefined
  /** The label of the button for the next page. */
  more: string
  /** Shown while the first page is loaded. */
  skeleton?: ReactNode
  /** The list. */
  children: ReactNode
}

/** A list that loads its next page when its end comes into view, or the reason why it is empty. */
export function Feed({ query, empty, more, skeleton, children }: FeedProps) {
  if (query.isPending) return skeleton ?? <Skeleton height={44} radius="md" />
  if (query.error && empty !== undefined)
    return <Notice failed text={query.error.message} action="Try again" onAction={() => void query.refetch()} />
  return (
    <>
      {empty ?? children}
      {query.hasNextPage && (
        <More
          label={more}
          loading={query.isFetchingNextPage}
          failed={query.isFetchNextPageError}
          load={() => void query.fetchNextPage()}
        />
      )}
    </>
  )
}
