import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { type ActivityFilter, activityOf, listActivity, listActivityTypes, listUpcoming } from "../api/activity.ts"
import { useSession } from "../context/session.ts"

const pageSize = 50
/** How often new items are polled for while only the first page is loaded, in ms. */
const pollEvery = 4_000

/** What happened, page after page; new items are polled for while only the first page is loaded. */
export function useActivity(filter: ActivityFilter) {
  const projectId = useSession().project.id
  const query = useInfiniteQuery({
    queryKey: ["activity", projectId, "list", filter],
    queryFn: ({ pageParam, signal }) =>
      listActivity(projectId, { ...filter, limit: pageSize, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last.hasMore ? last.cursor : undefined),
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) <= 1 ? pollEvery : false),
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
