import { type QueryClient, type QueryKey, useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { type ActivityFilter, activityOf, listActivity, listActivityTypes, listUpcoming } from "../api/activity.ts"
import { useSession } from "../context/session.ts"

const pageSize = 50
/** The live stream tells of new items, but not of those about campaigns alone. In ms. */
const pollEvery = 30_000

const listKey = (projectId: string): QueryKey => ["activity", projectId, "list"]

interface Pages {
  readonly pages: readonly unknown[]
}

/** Whether new items are shown: a list of more pages would be read again from its beginning. */
const isOnFirstPage = (data: Pages | undefined): boolean => (data?.pages.length ?? 0) <= 1

/** Reads the lists in view again, as far as only their first page is loaded. */
export const refetchNewest = (client: QueryClient, projectId: string): void =>
  void client.invalidateQueries({
    queryKey: listKey(projectId),
    predicate: ({ state }) => isOnFirstPage(state.data as Pages | undefined),
  })

/** What happened, page after page; new items appear while only the first page is loaded. */
export function useActivity(filter: ActivityFilter) {
  const projectId = useSession().project.id
  const query = useInfiniteQuery({
    queryKey: [...listKey(projectId), filter],
    queryFn: ({ pageParam, signal }) =>
      listActivity(projectId, { ...filter, limit: pageSize, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last.hasMore ? last.cursor : undefined),
    refetchInterval: ({ state }) => (isOnFirstPage(state.data) ? pollEvery : false),
  })
  const items = useMemo(() => query.data?.pages.flatMap(({ data }) => data) ?? [], [query.data])
  return { query, items, total: query.data?.pages[0]?.total ?? 0 }
}

/** All that happened with a contact, in the same way. */
export const useActivityOf = (contactId: string) => useActivity(activityOf(contactId))

export function useActivityTypes() {
  const projectId = useSession().project.id
  return useQuery({
    queryKey: ["activity", projectId, "types"],
    queryFn: ({ signal }) => listActivityTypes(projectId, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function useUpcoming() {
  const projectId = useSession().project.id
  return useQuery({
    queryKey: ["activity", projectId, "upcoming"],
    queryFn: ({ signal }) => listUpcoming(projectId, signal),
    refetchInterval: 30_000,
  })
}
