import { useInfiniteQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { listRequests } from "../api/requests.ts"

/** The API requests of a project, or of the whole instance for null, page after page. */
export function useRequests(projectId: string | null) {
  const query = useInfiniteQuery({
    queryKey: ["requests", projectId],
    queryFn: ({ pageParam }) => listRequests(projectId, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last.hasMore ? last.cursor : undefined),
  })
  const requests = useMemo(() => query.data?.pages.flatMap(({ data }) => data) ?? [], [query.data])
  return { query, requests }
}
