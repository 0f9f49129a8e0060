import { type InfiniteData, type QueryKey, type UseInfiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import type { CursorPage } from "../api/types.ts"

/** The loaded pages of a list, as the cache holds them. */
export type Pages<Row> = InfiniteData<CursorPage<Row>, string | undefined>

type Options<Row> = Omit<
  UseInfiniteQueryOptions<CursorPage<Row>, Error, Pages<Row>, QueryKey, string | undefined>,
  "queryFn" | "initialPageParam" | "getNextPageParam"
> & {
  readonly load: (cursor: string | undefined, signal: AbortSignal) => Promise<CursorPage<Row>>
}

/** A list, page after page: the rows that are loaded so far, and the total as of the first page. */
export function usePages<Row>({ load, ...options }: Options<Row>) {
  const query = useInfiniteQuery({
    ...options,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: CursorPage<Row>) => (last.hasMore ? last.cursor : undefined),
  })
  const rows = useMemo(() => query.data?.pages.flatMap(({ data }) => data) ?? [], [query.data])
  return { query, rows, total: query.data?.pages[0]?.total ?? 0 }
}

/** Whether new rows may be polled for: of more pages, all would be loaded again. */
export const isOnFirstPage = (data: { readonly pages: readonly unknown[] } | undefined): boolean =>
  (data?.pages.length ?? 0) <= 1
