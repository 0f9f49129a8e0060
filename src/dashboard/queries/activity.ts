import { type QueryClient, type QueryKey, useQuery } from "@tanstack/react-query"
import { type ActivityFilter, activityOf, listActivity, listActivityTypes, listUpcoming } from "../api/activity.ts"
import { useSession } from "../context/session.ts"
import { isOnFirstPage, type Pages, usePages } from "./pages.ts"

const pageSize = 50
/** The live stream tells of new items, but not of those about campaigns alone. In ms. */
const pollEvery = 30_000

const listKey = (projectId: string): QueryKey => ["activity", projectId, "list"]

/** Reads the lists in view again, as far as only their first page is loaded. */
export const refetchNewest = (client: QueryClient, projectId: string): void =>
  void client.invalidateQueries({
    queryKey: listKey(projectId),
    predicate: ({ state }) => isOnFirstPage(state.data as Pages<unknown> | undefined),
  })

/** What happened, page after page; new items appear while only the first page is loaded. */
export function useActivity(filter: ActivityFilter) {
  const projectId = useSession().project.id
  return usePages({
    queryKey: [...listKey(projectId), filter],
    load: (cursor, signal) => listActivity(projectId, { ...filter, limit: pageSize, cursor }, signal),
    refetchInterval: ({ state }) => (isOnFirstPage(state.data) ? pollEvery : false),
  })
}

/** The same for the whole history of a contact. */
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
